// expect: paths=2 exit=0
// ?: is a branch where an arm is more than a constant.
#include <klee/klee.h>

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  int larger = x > y ? x : y;
  klee_assert(larger >= 0 | (x < 0) & (y < 0));
  return 0;
}
