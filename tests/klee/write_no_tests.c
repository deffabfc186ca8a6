// run: --write-no-tests
// paths: 2
// tests: 0
// The errors are counted all the same.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assert(x != 4);
  return 0;
}
