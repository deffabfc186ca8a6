// expect: errors=ptr@15 exit=1
// A pointer that is itself an input points to an object, natively to the same one.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

static int global = 7;

int main(void) {
  int local = 8, *heap = malloc(sizeof *heap), *p;
  klee_make_symbolic(&p, sizeof p, "p");
  *heap = 9;
  klee_assume(((unsigned long)p & 3) == 0);
  if (p == &global) puts("the global");
  int value = *p;
  printf("%d\n", value);
  if (value == 8) local = 3;
  return local == 3 ? 1 : value == 9 ? 2 : 0;
}
