// expect: paths=2 errors=overflow@10 exit=1
// options: --check overflow
// expect-O2: errors=none  why: the optimiser uses that the overflow cannot happen, and the native program shows nothing either
// -x overflows for one value.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = -x;
  return y & 1;
}
