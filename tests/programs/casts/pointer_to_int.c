// expect: paths=1 exit=0
// A pointer keeps working through integers.
#include <klee/klee.h>
#include <stdint.h>

int main(void) {
  int cell = 7;
  uintptr_t address = (uintptr_t)&cell;
  address ^= 0x5555;
  address ^= 0x5555;
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  *(int *)address = x;
  klee_assert(cell == x);
  return 0;
}
