// expect: paths=1 exit=0
// A pointer made from an integer has no origin: it is whatever lies there.
#include <klee/klee.h>
#include <stdint.h>

int a[4], b[4];

int main(void) {
  volatile uintptr_t address = (uintptr_t)b + 4;
  *(volatile int *)address = 5;
  klee_assert(b[1] == 5);
  return 0;
}
