// expect: paths=1 exit=0
// short -> int -> long -> short loses nothing.
#include <klee/klee.h>

int main(void) {
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  long wide = (int)x;
  klee_assert((short)wide == x);
  klee_assert((wide < 0) == (x < 0));
  return 0;
}
