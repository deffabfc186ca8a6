// expect: paths=1 exit=0
// The library's functions on known values.
#include <klee/klee.h>
#include <math.h>

int main(void) {
  volatile double two = 2.0, x = -2.5;
  klee_assert(sqrt(two) == 1.4142135623730951);
  klee_assert(floor(x) == -3.0);
  klee_assert(ceil(x) == -2.0);
  klee_assert(trunc(x) == -2.0);
  klee_assert(round(x) == -3.0);
  klee_assert(fabs(x) == 2.5);
  klee_assert(fmod(7.5, two) == 1.5);
  return 0;
}
