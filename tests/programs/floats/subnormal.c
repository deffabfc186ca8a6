// expect: paths=1 exit=0
// Below the normal range, gradually.
#include <klee/klee.h>

int main(void) {
  volatile double small = 2.2250738585072014e-308, two = 2.0;
  double half = small / two;
  klee_assert(half > 0);
  klee_assert(half * two == small);
  volatile double least = 5e-324;
  klee_assert(least / two == 0);
  return 0;
}
