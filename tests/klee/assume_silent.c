// run: --silent-klee-assume
// paths: 1
// tests: 1
// On request such a path leaves nothing.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  if (x > 10) klee_assume(x < 5);
  return 0;
}
