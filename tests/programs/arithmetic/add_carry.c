// expect: paths=2 exit=0
// A carry out of an unsigned sum, computed without a wider type.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned char sum = a + b;
  unsigned carry = sum < a;
  if (carry)
    assert((unsigned)a + b >= 256);
  else
    assert((unsigned)a + b <= 255);
  return 0;
}
