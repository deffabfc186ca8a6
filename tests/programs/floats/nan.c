// expect: paths=1 exit=0
// Not-a-number equals nothing, and every order with it is false.
#include <klee/klee.h>

int main(void) {
  volatile double zero = 0.0, one = 1.0;
  volatile double nan = zero / zero;
  klee_assert(!(nan == nan));
  klee_assert(nan != nan);
  klee_assert(!(nan < one));
  klee_assert(!(nan >= one));
  klee_assert(!(one > nan));
  klee_assert(one / zero > 1e308);
  klee_assert(-one / zero < -1e308);
  return 0;
}
