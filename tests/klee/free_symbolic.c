// paths: 4
// error: ptr@9 memory error: invalid pointer: free
// A pointer that may be several objects, null, or none: one path for each.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  uintptr_t p[4] = {(uintptr_t)malloc(4), (uintptr_t)malloc(4), 0, 77};
  unsigned i = klee_range(0, 4, "i");
  free((void *)p[i]);
  return 0;
}
