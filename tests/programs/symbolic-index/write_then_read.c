// expect: paths=2 exit=0
// A write at one symbolic index seen by a read at another.
#include <klee/klee.h>

int main(void) {
  unsigned char cells[8] = {0}, i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 8);
  klee_assume(j < 8);
  cells[i] = 1;
  if (cells[j])
    klee_assert(i == j);
  else
    klee_assert(i != j);
  return 0;
}
