// expect: paths=3 exit=0
// Each call's locals are objects of their own.
#include <klee/klee.h>
#include <assert.h>

static int depth(unsigned n, const int *above) {
  int here = n;
  if (above)
    assert(*above == here + 1);
  if (n == 0)
    return 0;
  return 1 + depth(n - 1, &here);
}

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 3);
  klee_assert(depth(n, 0) == n);
  return 0;
}
