// expect: paths=2 errors=ptr@13 exit=1 incomplete=size
// options: --sym-size 100
// A smaller capacity: what needs a size beyond it is not found, what needs the largest one is.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n >= 1);
  volatile char *block = malloc(n);
  if (n >= 100)
    block[n] = 1;
  free((void *)block);
  return 0;
}
