// expect: paths=2 errors=ptr@14 exit=1
// Use after free, on one path only.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);
  *cell = 7;
  int early;
  klee_make_symbolic(&early, sizeof early, "early");
  if (early)
    free(cell);
  printf("%d\n", *(volatile int *)cell);
  free(cell);
  return 0;
}
