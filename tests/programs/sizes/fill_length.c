// expect: paths=4 errors=ptr@15 exit=1
// A fill of symbolic length with a symbolic byte.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char block[20] = "";
  unsigned char n, byte, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&byte, sizeof byte, "byte");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n <= 20) & (at < 20));
  memset(block, byte, n);
  klee_assert((unsigned char)block[at] == (at < n ? byte : 0));
  memset(block + 1, byte, n);
  return block[n] == (char)byte || n == 0 ? 0 : 1;
}
