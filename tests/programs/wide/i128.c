// expect: paths=1 exit=0
// 128-bit products.
#include <klee/klee.h>

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned __int128 square = (unsigned __int128)x * 3;
  klee_assert((unsigned long)square == x * 3);
  klee_assert((unsigned long)(square >> 64) <= 2);
  return 0;
}
