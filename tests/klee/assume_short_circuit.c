// paths: 3
// error: user@7 invalid klee_assume call (provably false)
// `&&` branches before the assumption is made: the side where the first half fails assumes 0.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assume(x > 2 && x < 5);
  klee_assert(x == 3 || x == 4);
  return 0;
}
