// paths: 1
// Of every sort of object.
#include <klee/klee.h>
#include <stdlib.h>
short g[5];
int main(void) {
  char l[7]; void *h = malloc(13);
  klee_assert(klee_get_obj_size(g) == 10);
  klee_assert(klee_get_obj_size(l) == 7);
  klee_assert(klee_get_obj_size(h) == 13);
  return 0;
}
