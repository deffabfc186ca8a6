// paths: 3
// The number of choices may be symbolic.
#include <klee/klee.h>
int main(void) {
  unsigned n = klee_range(1, 4, "n");
  uintptr_t c = klee_choose(n);
  klee_assert(c < 3);
  if (c == 0) return 0;
  if (c == 1) return 1;
  return 2;
}
