// expect: paths=1 exit=0
// Rotations, which clang turns into funnel shifts at higher levels: all amounts.
#include <klee/klee.h>

static unsigned left(unsigned x, unsigned n) { return (x << (n & 31)) | (x >> (-n & 31)); }
static unsigned right(unsigned x, unsigned n) { return (x >> (n & 31)) | (x << (-n & 31)); }

int main(void) {
  unsigned x = klee_int("x"), n = klee_int("n");
  klee_assert(right(left(x, n), n) == x);
  return 0;
}
