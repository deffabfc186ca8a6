// expect: paths=1 exit=0
// Memory at an address that the program dictates, as a device has.
#include <klee/klee.h>

int main(void) {
  if (klee_is_replay())
    return 0;
  volatile int *device = (volatile int *)0x80000;
  klee_define_fixed_object((void *)device, 4);
  *device = 5;
  klee_assert(*device == 5);
  return 0;
}
