// expect: paths=2 exit=0
// A copy of symbolic length does not fork: the two paths are the two sides of the check.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char from[16] = "abcdefghijklmno", to[16] = "---------------";
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n <= 16) & (at < 16));
  memcpy(to, from, n);
  klee_assert(to[at] == (at < n ? from[at] : at == 15 ? 0 : '-'));
  return 0;
}
