// expect: paths=1 exit=0
// options: --silent-klee-assume
// On request such a path ends in silence.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10)
    klee_assume(x < 5);
  return 0;
}
