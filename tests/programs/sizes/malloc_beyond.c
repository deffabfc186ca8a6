// expect: paths=1 exit=0 incomplete=size
// Sizes beyond the capacity are one cause; the path goes on with the others.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n >= 1);
  volatile char *block = malloc(n);
  block[0] = 1;
  block[n - 1] = 1;
  free((void *)block);
  return 0;
}
