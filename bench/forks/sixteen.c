// Sixteen independent symbolic bytes, one test each: 65,536 paths. -D TESTS=0 is the same program with one.
#include <klee/klee.h>

#ifndef TESTS
#define TESTS 16
#endif

int main(void) {
  unsigned char bytes[16];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int above = 0;
  for (int i = 0; i < TESTS; i++)
    if (bytes[i] > 100)
      above++;
  return above;
}
