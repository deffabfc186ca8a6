// expect: paths=3 errors=assert@12 exit=1
// The magnitude of the smallest int is negative: the one value that a test by hand misses.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned magnitude = x;
  if (x < 0)
    magnitude = 0u - (unsigned)x;
  assert((int)magnitude >= 0);
  return 0;
}
