// expect: paths=2 exit=0
// _BitInt of an odd width.
#include <klee/klee.h>

int main(void) {
  unsigned x = klee_int("x");
  unsigned _BitInt(13) narrow = x;
  narrow += 1;
  if (narrow == 0)
    klee_assert((x & 0x1fff) == 0x1fff);
  return 0;
}
