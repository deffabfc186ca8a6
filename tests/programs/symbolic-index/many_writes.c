// expect: paths=1 exit=0
// More writes at symbolic indices than an update list should keep.
#include <klee/klee.h>

int main(void) {
  static unsigned char cells[32];
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 8);
  for (int k = 0; k < 200; k++)
    cells[(i + k) & 31] = k;
  klee_assert(cells[(i + 199) & 31] == 199);
  klee_assert(cells[i] == 192);
  return 0;
}
