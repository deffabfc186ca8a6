// expect: paths=1 exit=0
// A thread-local variable of the only thread.
#include <klee/klee.h>

static _Thread_local int mine = 5;

int main(void) {
  mine += klee_int("x") & 1;
  klee_assert(mine == 5 | mine == 6);
  return 0;
}
