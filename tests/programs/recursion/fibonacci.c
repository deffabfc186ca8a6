// expect: paths=6 exit=0
// Two calls in each: one path for each n, the test at each call is decided by it.
#include <klee/klee.h>

static unsigned fibonacci(unsigned n) {
  if (n < 2)
    return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 6);
  klee_assert(fibonacci(n) <= 8);
  return 0;
}
