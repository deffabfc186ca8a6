// expect: paths=2 errors=abort@8 exit=1
// __builtin_trap.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 5)
    __builtin_trap();
  return 0;
}
