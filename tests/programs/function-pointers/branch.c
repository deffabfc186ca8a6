// expect: paths=2 exit=0
// The function is chosen by a branch, the call is indirect.
#include <klee/klee.h>

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }

int main(void) {
  char operator;
  klee_make_symbolic(&operator, sizeof operator, "operator");
  int (*volatile apply)(int, int) = plus;
  if (operator == '-')
    apply = minus;
  klee_assert(apply(7, 3) == (operator == '-' ? 4 : 10));
  return 0;
}
