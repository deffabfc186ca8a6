// expect: paths=3 errors=none exit=0
// options: --merge cfg --check-merges
// A range that the program marks: seven states become one.
#include <klee/klee.h>

int main(void) {
  int x, y, r = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_open_merge();
  if (x > 3)
    r += 1;
  if (y > 5)
    r += 2;
  if (x == y)
    r += 4;
  klee_close_merge();
  if (r == 7)
    return 0;
  if (r == 5)
    return 0;
  return 0;
}
