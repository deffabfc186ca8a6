// expect: paths=1 exit=0
// The average of two bytes without overflow, by the bits they share.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned char average = (a & b) + ((a ^ b) >> 1);
  klee_assert(average == (a + b) / 2);
  return 0;
}
