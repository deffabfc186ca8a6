// expect: paths=2 exit=0
// Comparing pointers forks no object.
#include <klee/klee.h>

int main(void) {
  char block[8];
  unsigned char i;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 8);
  char *p = block + i;
  if (p == block + 3)
    klee_assert(i == 3);
  klee_assert(p - block == i);
  return 0;
}
