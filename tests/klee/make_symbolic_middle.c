// paths: 1
// error: ptr@7 memory error: invalid pointer: make_symbolic
// The pointer must be the object's first address.
#include <klee/klee.h>
int main(void) {
  char b[8];
  klee_make_symbolic(b + 2, 6, "b");
  return b[2];
}
