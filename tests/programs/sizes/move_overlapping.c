// expect: paths=2 exit=0
// memmove of symbolic length over itself, in both directions: no path for each length.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char up[12] = "0123456789a", down[12] = "0123456789a";
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n <= 8) & (at < 8));
  const char *before = "0123456789a";
  memmove(up + 3, up, n);
  memmove(down, down + 3, n);
  klee_assert(up[at + 3] == (at < n ? before[at] : before[at + 3]));
  klee_assert(down[at] == (at < n ? before[at + 3] : before[at]));
  return 0;
}
