// expect: paths=2 exit=0
// klee_assume narrows the input.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x > 10);
  klee_assume(x < 13);
  if (x == 11)
    return 0;
  klee_assert(x == 12);
  return 0;
}
