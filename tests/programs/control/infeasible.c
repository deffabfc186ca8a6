// expect: paths=2 exit=0
// Conditions that contradict arithmetic have no second side; one value passes the second test.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (((x * x) & 3) == 2)
    return 1;
  if ((x & 1) + (x | 1) == 4294967295u)
    return (x & 1) == 0;
  return 0;
}
