// Eight symbolic bytes, of which six go ten ways each: 1,000,000 paths. -D BYTES=3 has 1,000.
#include <klee/klee.h>

#ifndef BYTES
#define BYTES 6
#endif

int main(void) {
  unsigned char bytes[8];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int sum = 0;
  for (int i = 0; i < BYTES; i++)
    switch (bytes[i]) {
    case 'a': sum += 1; break;
    case 'c': sum += 2; break;
    case 'e': sum += 3; break;
    case 'g': sum += 4; break;
    case 'i': sum += 5; break;
    case 'k': sum += 6; break;
    case 'm': sum += 7; break;
    case 'o': sum += 8; break;
    case 'q': sum += 9; break;
    default: break;
    }
  return sum;
}
