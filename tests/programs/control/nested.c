// expect: paths=4 exit=0
// Nested conditions over one variable: infeasible sides are not paths.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10) {
    if (x > 5) {
      if (x > 20)
        return 3;
      return 2;
    }
    return 99;
  }
  if (x < 0)
    return 1;
  return 0;
}
