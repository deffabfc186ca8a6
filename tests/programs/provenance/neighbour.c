// expect: paths=1 errors=ptr@9 exit=1
// expect-O2: errors=none  why: both the address and the value are known, so the optimiser drops the access; so does the native program
// An index that lands exactly in another live object is out of bounds all the same.
#include <stdint.h>

int main(void) {
  char a[16] = {0}, b[16] = {0};
  volatile long distance = (long)((uintptr_t)b - (uintptr_t)a);
  a[distance] = 1;
  return b[0];
}
