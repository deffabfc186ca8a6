// expect: paths=2 errors=ptr@12 exit=1
// The last element of one size too many.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n > 0) & (at <= n));
  volatile int *block = calloc(n, sizeof *block);
  int value = block[at];
  free((void *)block);
  return value;
}
