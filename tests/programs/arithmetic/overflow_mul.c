// expect: paths=2 errors=overflow@10 exit=1
// options: --check overflow
// The product of two shorts promoted to int overflows only for 65,535 squared and its kin when they are unsigned.
#include <klee/klee.h>

int main(void) {
  unsigned short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  int product = a * b;
  return product & 1;
}
