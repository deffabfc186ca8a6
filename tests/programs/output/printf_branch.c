// expect: paths=2 exit=0
// One path for each branch, whatever is printed.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  if (x > 1000)
    printf("large: %d\n", x);
  else
    printf("small: %08x\n", x);
  return 0;
}
