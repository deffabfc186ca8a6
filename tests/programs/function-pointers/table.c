// expect: paths=3 exit=0
// A call through a table at a symbolic index: one path for each function.
#include <klee/klee.h>
#include <stdio.h>

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
static int (*const table[3])(int) = {one, two, three};

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume(x < 3);
  klee_assert(table[x](10) == 11 + x);
  return 0;
}
