// expect: paths=2 errors=ptr@11 exit=1
// A size that may be zero: the first byte is outside then, and the pointer is none that is null.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 16);
  volatile char *block = malloc(n);
  if (block) block[0] = 1;
  free((void *)block);
  return 0;
}
