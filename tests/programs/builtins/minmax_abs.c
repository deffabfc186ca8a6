// expect: paths=2 exit=0
// abs, min and max become intrinsics at -O2 and branches or selections at -O0.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_int("x");
  klee_assume((x >= -1000) & (x <= 1000));
  int magnitude = abs(x);
  klee_assert(magnitude <= 1000);
  int large = magnitude;
  if (large < 10)
    large = 10;
  klee_assert(large >= 10);
  return 0;
}
