// expect: paths=6 exit=0
// Euclid's algorithm over three bits each: paths are the sequences of remainders that stay above zero.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a < 8);
  klee_assume(b < 8);
  unsigned char x = a, y = b;
  while (y) {
    unsigned char rest = x % y;
    x = y;
    y = rest;
  }
  if (x)
    assert(a % x == 0 && b % x == 0);
  return 0;
}
