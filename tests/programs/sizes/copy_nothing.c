// expect: paths=2 errors=ptr@14 exit=1
// No bytes from nowhere are no error, one is.
#include <klee/klee.h>
#include <string.h>

char block[4];

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 4);
  char *volatile from = n == 0 ? 0 : block;
  memcpy(block, from, n);
  memset(block + 5 - 1, 0, n);
  return 0;
}
