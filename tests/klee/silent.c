// paths: 1
// tests: 1
// A silent exit leaves no test, and is no completed path.
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 3)
    klee_silent_exit(1);
  return 0;
}
