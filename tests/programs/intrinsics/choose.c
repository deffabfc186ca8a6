// expect: paths=1 exit=0
// klee_choose gives a number below its argument.
#include <klee/klee.h>

int main(void) {
  uintptr_t n = klee_choose(5);
  klee_assert(n < 5);
  return 0;
}
