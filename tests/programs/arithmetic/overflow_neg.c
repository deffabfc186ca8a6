// expect: paths=2 errors=overflow@10 exit=1
// options: --check overflow
// expect-O2: errors=none  why: of the negation only the lowest bit is used, which the optimiser takes from x itself
// -x overflows for one value.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = -x;
  return y & 1;
}
