// expect: paths=1..2 errors=uninit@18 exit=1
// options: --check uninit
// expect-O2: errors=none  why: the optimiser takes the undefined value to be the other one and drops the branch
// A local that is set on one side only.
#include <klee/klee.h>
#include <stdio.h>

static void fill(int *cell, int x) {
  if (x > 0)
    *cell = x;
}

int main(void) {
  int x, cell;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x <= 0);
  fill(&cell, x);
  if (cell > 10)
    puts("large");
  return 0;
}
