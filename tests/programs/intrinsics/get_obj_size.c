// expect: paths=1 exit=0
// The size of the object behind a pointer.
#include <klee/klee.h>
#include <stdlib.h>

static int cells[10];

int main(void) {
  char local[7];
  void *block = malloc(33);
  if (klee_is_replay())
    return 0;
  klee_assert(klee_get_obj_size(cells) == 40);
  klee_assert(klee_get_obj_size(local) == 7);
  klee_assert(klee_get_obj_size(block) == 33);
  free(block);
  return 0;
}
