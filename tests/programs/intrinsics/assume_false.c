// expect: paths=2 errors=user@9 exit=1
// An assumption that cannot hold is an error of the harness, kind user, as in KLEE.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x > 10)
    klee_assume(x < 5);
  return 0;
}
