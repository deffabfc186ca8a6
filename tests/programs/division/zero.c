// expect: paths=2 errors=div@8 exit=1
// A divisor that can be zero.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  return 100 / x > 3;
}
