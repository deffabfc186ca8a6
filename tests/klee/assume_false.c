// paths: 2
// error: user@9 invalid klee_assume call (provably false)
// An assumption that contradicts the path is the harness's own error.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x > 10)
    klee_assume(x < 5);
  return 0;
}
