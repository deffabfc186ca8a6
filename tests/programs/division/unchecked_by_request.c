// expect: paths=1 exit=0
// options: --check -div
// A check can be left out: then the division is whatever the solver's is, and nothing is reported.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x != 0);
  return 100 / x > 3;
}
