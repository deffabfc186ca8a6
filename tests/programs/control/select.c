// expect: paths=1 exit=0
// ?: between constants is a selection, not a branch.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int sign = x < 0 ? -1 : 1;
  klee_assume((sign == -1) | (x >= 0));
  return sign == 0;
}
