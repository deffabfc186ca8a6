// expect: paths=2 errors=ptr@14 exit=1
// A null pointer, on one side of a branch.
#include <klee/klee.h>
#include <stdio.h>

int cell = 5;

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int *p = &cell;
  if (x == 42)
    p = NULL;
  printf("%d\n", *(volatile int *)p);
  return 0;
}
