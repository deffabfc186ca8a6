// expect: paths=1 exit=0
// Sizes far apart are one object.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 4);
  long *block = malloc((n + 1) * 8 * 100);
  block[n * 100] = n;
  int value = block[n * 100] == n;
  free(block);
  return !value;
}
