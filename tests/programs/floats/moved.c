// expect: paths=1 exit=0
// Loads, stores and copies of symbolic floats are not arithmetic.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  float x, y;
  unsigned before, after;
  klee_make_symbolic(&x, sizeof x, "x");
  memcpy(&before, &x, 4);
  y = x;
  memcpy(&after, &y, 4);
  klee_assert(before == after);
  return 0;
}
