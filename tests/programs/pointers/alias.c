// expect: paths=1 exit=0
// Two names for one cell.
#include <klee/klee.h>

static void __attribute__((noinline)) twice(int *a, int *b) {
  *a += *b;
  *a += *b;
}

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x;
  twice(&y, &y);
  klee_assert((unsigned)y == 4u * x);
  return 0;
}
