// expect: paths=6 exit=0
// A symbolic depth below six.
#include <klee/klee.h>

static unsigned factorial(unsigned n) { return n == 0 ? 1 : n * factorial(n - 1); }

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 6);
  klee_assert(factorial(n) <= 120);
  return 0;
}
