// run: --emit-all-errors
// paths: 4
// files: assert 3
// One file for each path that fails.
#include <klee/klee.h>
static void fail(int x) { klee_assert(x == 0); }
int main(void) {
  int x = klee_range(0, 4, "x");
  if (x == 1) fail(1); else if (x == 2) fail(2); else if (x == 3) fail(3); else fail(0);
  return 0;
}
