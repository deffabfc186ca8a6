// expect: paths=4 exit=0
// Case 2 falls into 1, 1 into 0.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  int weight = 0;
  switch (x) {
  case 2: weight += 4;
  case 1: weight += 2;
  case 0: weight += 1; break;
  default: weight = -1;
  }
  klee_assert(weight == -1 || weight == 7 || weight == 3 || weight == 1);
  return 0;
}
