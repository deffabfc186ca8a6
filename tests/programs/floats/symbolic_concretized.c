// expect: paths=2 exit=0 incomplete=concretized
// options: --float concretize
// Or it takes one value on request, which is counted.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 0)
    return 0;
  volatile double y = x;
  klee_assert(y == (double)x);
  return 0;
}
