// paths: 1
// The other widths.
#include <klee/klee.h>
int main(void) {
  union { long l; double d; } u; union { int i; float f; } w;
  klee_make_symbolic(&u, sizeof u, "u");
  klee_make_symbolic(&w, sizeof w, "w");
  klee_assume(u.l == 0x3ff8000000000000);
  klee_assume(w.i == 0x3f800000);
  klee_assert(klee_get_valued(u.d) == 1.5);
  klee_assert(klee_get_valuef(w.f) == 1.0f);
  klee_assert(klee_get_valuel(u.l) == 0x3ff8000000000000);
  klee_assert(klee_get_valuell(u.l) == 0x3ff8000000000000);
  return 0;
}
