// expect: paths=3 errors=overflow@13 exit=1
// INT_MIN / -1 traps on the machine: an error without being asked for.
#include <limits.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  if (y == 0)
    return 0;
  printf("%d\n", x / y);
  return 0;
}
