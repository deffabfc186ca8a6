// expect: paths=1..4 exit=0
// open_merge and close_merge are accepted; with merging off they change nothing.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = klee_int("y"), total = 0;
  klee_open_merge();
  if (x > 5)
    total += 1;
  klee_close_merge();
  klee_open_merge();
  if (y > 5)
    total += 2;
  klee_close_merge();
  klee_assert(total <= 3);
  return 0;
}
