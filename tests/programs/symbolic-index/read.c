// expect: paths=1 exit=0
// A read at a symbolic index is one path, whatever the table holds.
#include <klee/klee.h>

static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 16);
  klee_assert(squares[x] == x * x);
  return 0;
}
