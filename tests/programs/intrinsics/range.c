// expect: paths=3 exit=0
// klee_range includes its beginning and excludes its end.
#include <klee/klee.h>

int main(void) {
  int x = klee_range(-1, 2, "x");
  if (x == -1)
    return 0;
  if (x == 0)
    return 0;
  klee_assert(x == 1);
  return 0;
}
