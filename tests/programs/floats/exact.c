// expect: paths=1 exit=0
// Results equal the machine's, bit for bit.
#include <klee/klee.h>
#include <string.h>

static unsigned long bits(double x) {
  unsigned long word;
  memcpy(&word, &x, 8);
  return word;
}

int main(void) {
  volatile double a = 0.1, b = 0.2, three = 3.0, one = 1.0;
  klee_assert(bits(a + b) == 0x3fd3333333333334);
  klee_assert(bits(one / three) == 0x3fd5555555555555);
  klee_assert(bits(a * b) == 0x3f947ae147ae147c);
  klee_assert(bits(a - b) == 0xbfb999999999999a);
  return 0;
}
