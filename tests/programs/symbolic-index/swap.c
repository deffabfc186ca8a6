// expect: paths=2 exit=0
// Swapping two symbolic places keeps the sum, and may be the identity.
#include <klee/klee.h>

int main(void) {
  unsigned char cells[4] = {1, 2, 3, 4}, i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  klee_assume(i < 4);
  klee_assume(j < 4);
  unsigned char kept = cells[i];
  cells[i] = cells[j];
  cells[j] = kept;
  klee_assert(cells[0] + cells[1] + cells[2] + cells[3] == 10);
  if (cells[0] == 1)
    return 0;
  return i == j;
}
