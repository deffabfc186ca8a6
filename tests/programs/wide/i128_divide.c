// expect: paths=1 exit=0
// Division of 128 bits, which machines leave to a library.
#include <klee/klee.h>

int main(void) {
  volatile unsigned long low = 7, high = 5;
  unsigned __int128 x = ((unsigned __int128)high << 64) | low;
  klee_assert((unsigned long)(x / 5) == 1);
  klee_assert((unsigned long)((x / 5) >> 64) == 1);
  klee_assert((unsigned long)(x % 5) == 2);
  __int128 negative = -(__int128)x;
  klee_assert(negative / 2 < 0);
  return 0;
}
