// expect: paths=1 exit=0
// __builtin_object_size, known and unknown.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char local[12];
  local[0] = 1;
  klee_assert(__builtin_object_size(local + 2, 0) == 10);
  return 0;
}
