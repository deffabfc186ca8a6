// expect: paths=1 exit=0
// Little-endian: the first byte is the lowest.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char bytes[4];
  memcpy(bytes, &x, 4);
  klee_assert((bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned)bytes[3] << 24) == x);
  return 0;
}
