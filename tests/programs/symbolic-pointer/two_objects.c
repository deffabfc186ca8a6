// expect: paths=2 exit=0
// A pointer that is one of two objects: one path for each.
#include <klee/klee.h>
#include <stdio.h>

int first = 1, second = 2;

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int *p = x > 5 ? &first : &second;
  *p = 7;
  printf("%d %d\n", first, second);
  return 0;
}
