// expect: paths=1 exit=0
// Reversing a byte twice gives it back: no branch, one path.
#include <klee/klee.h>

static unsigned char reverse(unsigned char x) {
  x = (x >> 4) | (x << 4);
  x = ((x & 0xcc) >> 2) | ((x & 0x33) << 2);
  return ((x & 0xaa) >> 1) | ((x & 0x55) << 1);
}

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assert(reverse(reverse(x)) == x);
  return 0;
}
