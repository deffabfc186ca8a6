// expect: paths=2 exit=0
// ?: with calls in its arms is a branch.
#include <klee/klee.h>
#include <stdio.h>

static int twice(int x) { return x * 2; }
static int half(int x) { return x / 2; }

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x > 1000 ? half(x) : twice(x);
  printf("%d\n", y);
  return 0;
}
