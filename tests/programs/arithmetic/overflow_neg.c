// expect: paths=2 errors=overflow@9 exit=1
// options: --check overflow
// -x overflows for one value.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = -x;
  return y & 1;
}
