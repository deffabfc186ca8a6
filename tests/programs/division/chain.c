// expect: paths=4 errors=div@11,div@13,div@15 exit=1
// Each divisor is a place of its own; an error ends its path.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  int x = 1000 / a;
  printf("%d\n", x);
  int y = 1000 / b;
  printf("%d\n", y);
  int z = 1000 / c;
  printf("%d\n", z);
  return 0;
}
