// expect: paths=2 errors=ptr@11 exit=1
// <= where < was meant.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int cells[4] = {1, 2, 3, 4};
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 4);
  printf("%d\n", cells[n]);
  return 0;
}
