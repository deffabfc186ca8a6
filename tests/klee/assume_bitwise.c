// paths: 1
// tests: 1
// With `&` it is one condition.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assume((x > 2) & (x < 5));
  klee_assert((x == 3) | (x == 4));
  return 0;
}
