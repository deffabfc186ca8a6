// expect: exit=0 incomplete=time
// options: --max-time 1s
// native: skip, the limit is the engine's
// expect-O2: incomplete=none  why: the optimiser turns the branches into arithmetic, so that nothing is left to cut
// A loop without end stops at the time limit.
#include <klee/klee.h>

int main(void) {
  unsigned x = klee_int("x");
  while (x != 12345)
    x = x * 5 + 1;
  return 0;
}
