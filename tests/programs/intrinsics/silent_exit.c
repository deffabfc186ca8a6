// expect: paths=1 exit=0
// A path that ends by klee_silent_exit leaves no test and is not counted.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 3)
    klee_silent_exit(0);
  return 0;
}
