// expect: paths=1 exit=0
// Neighbouring bit-fields do not touch each other.
#include <klee/klee.h>

struct flags { unsigned a : 3, b : 5; int c : 4; };

int main(void) {
  struct flags flags = {0};
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  flags.b = 21;
  flags.a = x;
  flags.c = x;
  klee_assert(flags.a == (x & 7));
  klee_assert(flags.b == 21);
  klee_assert((flags.c & 15) == (x & 15));
  return 0;
}
