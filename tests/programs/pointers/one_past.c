// expect: paths=1 exit=0
// One past the end may be computed and compared, not read.
#include <klee/klee.h>

int main(void) {
  int cells[4] = {1, 2, 3, 4}, sum = 0;
  for (const int *p = cells; p != cells + 4; p++)
    sum += *p;
  klee_assert(sum == 10);
  return 0;
}
