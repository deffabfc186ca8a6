// expect: paths=2 errors=abort@8 exit=1
// klee_abort.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 3)
    klee_abort();
  return 0;
}
