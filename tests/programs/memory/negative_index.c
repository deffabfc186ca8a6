// expect: paths=3 errors=ptr@13 exit=1
// An index checked from above only.
#include <klee/klee.h>
#include <stdio.h>

int cells[8] = {1, 2, 3};

int main(void) {
  int i;
  klee_make_symbolic(&i, sizeof i, "i");
  if (i >= 8)
    i = 0;
  printf("%d\n", cells[i]);
  return 0;
}
