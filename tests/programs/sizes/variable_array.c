// expect: paths=1 exit=0
// Arrays of variable length: one per call, of another size each.
#include <klee/klee.h>

static int fill(int n) {
  int values[n];
  values[0] = 1;
  values[n - 1] = n;
  return values[n - 1];
}

int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 50));
  return fill(n) + fill(n + 1) == 2 * n + 1 ? 0 : 1;
}
