// expect: paths=8 exit=0
// Even and odd call each other.
#include <klee/klee.h>

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 8);
  klee_assert(even(n) == (n % 2 == 0));
  return 0;
}
