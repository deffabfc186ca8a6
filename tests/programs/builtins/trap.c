// expect: paths=2 errors=abort@9 exit=1
// native: skip, the signal has no kind
// __builtin_trap.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 5)
    __builtin_trap();
  return 0;
}
