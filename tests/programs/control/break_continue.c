// expect: paths=31 exit=0
// The first zero ends the loop, ones are skipped, others are counted: 1 + 2 + 4 + 8 ends early, 16 at the end.
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[4];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int others = 0;
  for (int i = 0; i < 4; i++) {
    if (bytes[i] == 0)
      break;
    if (bytes[i] == 1)
      continue;
    others++;
  }
  return others == 9;
}
