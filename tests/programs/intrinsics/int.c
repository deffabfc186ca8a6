// expect: paths=2 exit=0
// klee_int is a symbolic int.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 123456789)
    return 0;
  return 0;
}
