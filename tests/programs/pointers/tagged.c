// expect: paths=2 exit=0
// The low bit of an aligned pointer as a flag.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);
  *cell = 5;
  unsigned char flag;
  klee_make_symbolic(&flag, sizeof flag, "flag");
  uintptr_t tagged = (uintptr_t)cell;
  if (flag & 1)
    tagged |= 1;
  klee_assert(*(int *)(tagged & ~(uintptr_t)1) == 5);
  free(cell);
  return 0;
}
