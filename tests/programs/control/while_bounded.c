// expect: paths=6 exit=0
// A loop with a symbolic bound below six.
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 5);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += i;
  klee_assert(sum == n * (n - 1) / 2);
  return 0;
}
