// expect: paths=1 exit=0
// Small structures travel in registers, large ones in memory: the callee has its own.
#include <klee/klee.h>

struct small { int a, b; };
struct large { int cells[20]; };

static int __attribute__((noinline)) sum(struct small small, struct large large) {
  small.a += small.b;
  large.cells[3] += small.a;
  return large.cells[3];
}

int main(void) {
  struct small small = {1, 2};
  struct large large = {{0, 0, 0, 10}};
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  large.cells[3] = x;
  klee_assert(sum(small, large) == (int)(x + 3u));
  klee_assert(small.a == 1);
  klee_assert(large.cells[3] == x);
  return 0;
}
