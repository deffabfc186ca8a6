// expect: paths=2 exit=0
// Any value but zero is one as a _Bool.
#include <assert.h>
#include <klee/klee.h>
#include <stdbool.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  bool truth = x;
  if (truth)
    assert(truth == 1 && x != 0);
  else
    assert(x == 0);
  return 0;
}
