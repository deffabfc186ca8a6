// expect: paths=2 exit=0
// A table indexed by what another table holds.
#include <klee/klee.h>

static const unsigned char next[8] = {3, 0, 5, 1, 7, 4, 2, 6}, value[8] = {10, 20, 30, 40, 50, 60, 70, 80};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 8);
  if (value[next[next[x]]] == 70)
    klee_assert(next[next[x]] == 6);
  return 0;
}
