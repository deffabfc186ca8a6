// expect: paths=1 exit=0
// A structure returned through a hidden pointer.
#include <klee/klee.h>

struct record { long a, b, c; };

static struct record __attribute__((noinline)) make(long x) {
  struct record record = {x, x + 1, x + 2};
  return record;
}

int main(void) {
  long x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 1000);
  struct record record = make(x);
  klee_assert(record.c - record.a == 2);
  return 0;
}
