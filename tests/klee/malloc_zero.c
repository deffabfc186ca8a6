// paths: 2
// error: ptr@8 memory error: out of bound pointer
// An object without bytes.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(0);
  if (klee_int("x")) return p[0];
  free(p);
  return 0;
}
