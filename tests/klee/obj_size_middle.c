// paths: 1
// error: ptr@6 memory error: invalid pointer: klee_get_obj_size
// The pointer must be the object's first address.
#include <klee/klee.h>
short g[5]; int main(void) {
  return klee_get_obj_size(g + 1);
}
