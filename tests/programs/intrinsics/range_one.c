// expect: paths=1 exit=0
// A range of one value is that value.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(7, 8, "x");
  if (x != 7)
    return 1;
  return 0;
}
