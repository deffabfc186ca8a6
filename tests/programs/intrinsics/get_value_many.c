// expect: paths=1 exit=0
// The other widths.
#include <klee/klee.h>

int main(void) {
  long x = klee_int("x");
  klee_assume(x == 9);
  klee_assert(klee_get_value_i64(x) == 9);
  klee_assert(klee_get_valuel(x) == 9);
  klee_assert(klee_get_valuell(x) == 9);
  klee_assert(klee_get_valued(2.5) == 2.5);
  klee_assert(klee_get_valuef(1.5f) == 1.5f);
  return 0;
}
