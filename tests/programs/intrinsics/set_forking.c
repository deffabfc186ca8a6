// expect: paths=1 exit=0 incomplete=forking
// native: skip, depends on the engine
// expect-O2: incomplete=none  why: the optimiser leaves no branch
// With forking off a branch takes one side.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_set_forking(0);
  int y = 0;
  if (x > 5)
    y = 1;
  klee_set_forking(1);
  return y > 1;
}
