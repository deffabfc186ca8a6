// expect: paths=1 exit=0
// Concrete recursion: no fork.
#include <klee/klee.h>

static int moves(int n) { return n == 0 ? 0 : 2 * moves(n - 1) + 1; }

int main(void) {
  klee_assert(moves(16) == 65535);
  return 0;
}
