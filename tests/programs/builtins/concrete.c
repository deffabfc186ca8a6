// expect: paths=1 exit=0
// The same on known values, at all widths.
#include <klee/klee.h>

int main(void) {
  volatile unsigned long x = 0x00f0000000000100;
  klee_assert(__builtin_bswap64(x) == 0x000100000000f000);
  klee_assert(__builtin_bswap16((unsigned short)0x1234) == 0x3412);
  klee_assert(__builtin_popcountl(x) == 5);
  klee_assert(__builtin_ctzl(x) == 8);
  klee_assert(__builtin_clzl(x) == 8);
  klee_assert(__builtin_ffsl(x) == 9);
  klee_assert(__builtin_bitreverse32((unsigned)x) == 0x00800000);
  return 0;
}
