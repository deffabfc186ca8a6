// expect: paths=4 exit=0
// Few sizes are all tried, however far apart they are.
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
