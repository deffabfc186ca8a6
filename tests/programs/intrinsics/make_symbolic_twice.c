// expect: paths=4 exit=0
// Made symbolic again, an object is a new input.
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned char old = x;
  klee_make_symbolic(&x, sizeof x, "x");
  int total = 0;
  if (old == 5)
    total++;
  if (x == 6)
    total++;
  return total > 2;
}
