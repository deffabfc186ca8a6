// run: --provenance off
// paths: 2
// error: read_only@10 memory error: object read only
// A pointer that may be either of two objects, one of which must not be written.
#include <klee/klee.h>
static const char fixed[4] = "abc"; static char free_to_write[4];
volatile uintptr_t addresses[2];
int main(void) {
  addresses[0] = (uintptr_t)fixed; addresses[1] = (uintptr_t)free_to_write;
  *(char *)addresses[klee_range(0, 2, "i")] = 'x';
  return 0;
}
