// expect: paths=41 exit=0
// Locals of symbolic size do not use up the stack of a path whose input needs little.
#include <klee/klee.h>

static int deep(unsigned level, unsigned n) {
  char local[n];
  local[0] = 1;
  return level ? deep(level - 1, n) + local[0] : 0;
}

int main(void) {
  unsigned n, level;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&level, sizeof level, "level");
  klee_assume((n >= 1) & (n <= 60000));
  klee_assume((level <= 40) & (n * level <= 1000));
  return deep(level, n) >= 0 ? 0 : 1;
}
