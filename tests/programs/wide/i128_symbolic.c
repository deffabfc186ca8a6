// expect: paths=2 exit=0
// A branch on 128 bits.
#include <klee/klee.h>

int main(void) {
  unsigned __int128 x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x >> 100 == 0x5a5a)
    klee_assert((unsigned long)(x >> 64) >> 36 == 0x5a5a);
  return 0;
}
