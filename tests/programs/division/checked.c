// expect: paths=2 exit=0
// The guard makes the division safe.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 0)
    return 1;
  return 100 / x > 3;
}
