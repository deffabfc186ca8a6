// expect: paths=1 exit=0
// Ties go to even, in conversions from integers and from double to float.
#include <klee/klee.h>

int main(void) {
  volatile long odd = 9007199254740993, even = 9007199254740995;
  klee_assert((double)odd == 9007199254740992.0);
  klee_assert((double)even == 9007199254740996.0);
  volatile double half = 16777217.0;
  klee_assert((float)half == 16777216.0f);
  volatile unsigned long top = 0xffffffffffffffff;
  klee_assert((double)top == 18446744073709551616.0);
  return 0;
}
