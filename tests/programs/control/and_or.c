// expect: paths=5 exit=0
// && and || are branches: a false first operand never looks at the second.
#include <klee/klee.h>

int main(void) {
  unsigned char a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  if ((a > 10 && b > 10) || c > 10)
    return 1;
  return 0;
}
