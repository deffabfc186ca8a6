// paths: 1
// error: ptr@6 memory error: invalid pointer: make_symbolic
// There is no object at null.
#include <klee/klee.h>
int main(void) {
  klee_make_symbolic(0, 4, "b");
  return 0;
}
