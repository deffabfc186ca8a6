// expect: paths=4 exit=0
// A pointer read from a table at a symbolic index: one path for each object it may be.
#include <klee/klee.h>
#include <stdio.h>

int a = 1, b = 2, c = 3, d = 4;
int *const table[4] = {&a, &b, &c, &d};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 4);
  *table[x] = 9;
  printf("%d\n", a + b + c + d);
  return 0;
}
