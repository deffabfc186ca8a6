// expect: errors=overflow@15,overflow@17,overflow@19,overflow@21 exit=1
// options: --check overflow
// expect-O2: errors=overflow@15,overflow@17 exit=1  why: the optimiser joins two operators to one that may wrap; the native program shows nothing either
// Operators that overflow for one input only, the last in the range that the path leaves.
#include <klee/klee.h>

int main(void) {
  int which, x, y;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  volatile int result = 0;
  klee_assume(x >= 0 & y >= 0);
  if (which == 0 && x <= 46341)
    result = x * x; // 46341
  if (which == 1 && x <= 1073741824 && y <= 1073741824)
    result = x + y; // both 2^30
  if (which == 2 && x <= 1073741825)
    result = -x - 1073741824; // 2^30 + 1
  if (which == 3 && x <= 46341 && y <= 46340)
    result = -x * y - 41709; // both at their limits
  return result == 1;
}
