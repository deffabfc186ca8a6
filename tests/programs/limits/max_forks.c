// expect: exit=0 incomplete=forks
// options: --max-forks 4
// native: skip, the limit is the engine's
// expect-O2: incomplete=none  why: the optimiser turns the branches into arithmetic, so that nothing is left to cut
// No more than four forks in the whole run.
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[8];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int above = 0;
  for (int i = 0; i < 8; i++)
    if (bytes[i] > 100)
      above++;
  return above == 9;
}
