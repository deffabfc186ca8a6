// expect: paths=1 exit=0
// A pointer copied as bytes still points.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  int cell = 3;
  int *p = &cell, *q;
  unsigned char bytes[sizeof p];
  memcpy(bytes, &p, sizeof p);
  for (unsigned i = 0; i < sizeof p; i++)
    ((unsigned char *)&q)[i] = bytes[i];
  klee_assert(*q == 3);
  return 0;
}
