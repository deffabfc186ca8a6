// expect: paths=2 errors=uninit@11 exit=1
// options: --check uninit
// expect-O2: errors=none exit=0  why: clang takes the one value that is ever set
// Set on one branch only: promotion to a register must not take that value for both.
#include <klee/klee.h>

int main(void) {
  int c = klee_int("c");
  int x;
  if (c > 3) x = 5;
  if (x == 5) return 1;
  return 0;
}
