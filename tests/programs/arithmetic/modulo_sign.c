// expect: paths=3 exit=0
// The sign of % follows the dividend in C.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int rest = x % 7;
  if (rest < 0)
    assert(x < 0);
  else if (rest > 0)
    assert(x > 0);
  return 0;
}
