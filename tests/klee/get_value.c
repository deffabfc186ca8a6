// paths: 2
// A value taken as an example leaves the others possible.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_assume((x > 4) & (x < 7));
  int v = klee_get_value_i32(x);
  klee_assert(v == 5 || v == 6);
  klee_assert(!klee_is_symbolic(v));
  if (x == 5) return 1;
  return 0;
}
