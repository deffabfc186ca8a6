// paths: 1
// error: ptr@8 memory error: invalid pointer: make_symbolic
// A freed object is none.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4); free(p);
  klee_make_symbolic(p, 4, "p");
  return 0;
}
