// expect: paths=1 exit=0
// options: --check overflow
// Unsigned arithmetic wraps by definition and is never an overflow.
#include <klee/klee.h>

int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  return (x + y) * (x - y) & 1;
}
