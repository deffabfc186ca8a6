// expect: exit=0 incomplete=depth
// options: --max-depth 3
// native: skip, the limit is the engine's
// expect-O2: incomplete=none  why: the optimiser turns the branches into arithmetic, so that nothing is left to cut
// A path may fork three times; what lies deeper is counted incomplete.
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[6];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int above = 0;
  for (int i = 0; i < 6; i++)
    if (bytes[i] > 100)
      above++;
  return above == 9;
}
