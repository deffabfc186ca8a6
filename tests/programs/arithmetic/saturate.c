// expect: paths=2 exit=0
// A saturating sum by hand.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned char sum = a + b;
  if (sum < a)
    sum = 255;
  klee_assert(sum >= a);
  return 0;
}
