// paths: 4
// error: ptr@12 memory error: invalid pointer: realloc
// error: ptr@13 memory error: invalid pointer: realloc
// error: ptr@15 memory error: out of bound pointer
// What must not be resized, and what may.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(8), *q;
  p[0] = 'k';
  switch (klee_range(0, 4, "x")) {
  case 1: realloc(p + 1, 4); break;
  case 2: free(p); realloc(p, 4); break;
  case 3: q = realloc(p, 4); klee_assert(q[0] == 'k');
    return q[4];
  default: q = realloc(0, 4); q[3] = 1; free(q);
  }
  return 0;
}
