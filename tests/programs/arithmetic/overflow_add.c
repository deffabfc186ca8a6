// expect: paths=2 errors=overflow@9 exit=1
// options: --check overflow
// Signed overflow on request.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x + 1;
  return y & 1;
}
