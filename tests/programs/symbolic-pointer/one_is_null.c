// expect: paths=3 errors=ptr@14 exit=1
// One of the choices is null.
#include <klee/klee.h>
#include <stdio.h>

int a = 1, b = 2;
int *volatile table[3] = {&a, &b, 0};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 3);
  int *p = table[x];
  printf("%d\n", *p);
  return 0;
}
