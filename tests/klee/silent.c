// paths: 2
// tests: 1
// A silent exit leaves no test.
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 3)
    klee_silent_exit(1);
  return 0;
}
