// expect: paths=2 errors=assert@11 exit=1
// A length of 256 becomes 0 in a byte.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned length;
  klee_make_symbolic(&length, sizeof length, "length");
  klee_assume(length > 0);
  unsigned char kept = length;
  assert(kept != 0);
  return 0;
}
