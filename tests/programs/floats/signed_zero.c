// expect: paths=1 exit=0
// Two zeros, equal and yet different.
#include <klee/klee.h>

int main(void) {
  volatile double zero = 0.0, minus = -0.0;
  klee_assert(zero == minus);
  klee_assert(1 / zero != 1 / minus);
  klee_assert(__builtin_signbit(minus) != 0);
  return 0;
}
