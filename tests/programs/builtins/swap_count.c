// expect: paths=1 exit=0
// Byte swap, population count, leading and trailing zeros.
#include <klee/klee.h>

int main(void) {
  unsigned x = klee_int("x");
  klee_assume(x != 0);
  klee_assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
  klee_assert((__builtin_bswap32(x) & 255) == x >> 24);
  klee_assert(__builtin_popcount(x) + __builtin_popcount(~x) == 32);
  klee_assert((x >> __builtin_ctz(x)) & 1);
  klee_assert((x << __builtin_clz(x)) >> 31);
  klee_assert(__builtin_parity(x) == (__builtin_popcount(x) & 1));
  return 0;
}
