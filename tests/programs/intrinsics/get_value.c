// expect: paths=1 exit=0
// klee_get_value picks a value that the path allows, without binding it.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_assume((x >= 10) & (x <= 20));
  int some = klee_get_value_i32(x);
  klee_assert(!klee_is_symbolic(some));
  klee_assert(some >= 10);
  klee_assert(some <= 20);
  return 0;
}
