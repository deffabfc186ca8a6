// expect: paths=1 exit=0
// Towards zero, signed and unsigned.
#include <klee/klee.h>

int main(void) {
  volatile double x = -2.9, y = 3.99, large = 3000000000.5;
  klee_assert((int)x == -2);
  klee_assert((int)y == 3);
  klee_assert((unsigned)large == 3000000000u);
  klee_assert((unsigned long)1e19 == 10000000000000000000u);
  klee_assert((char)y == 3);
  return 0;
}
