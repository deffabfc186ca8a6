// expect: errors=ptr@12 exit=1 incomplete=size
// No size that is tried first is too small for the access behind the branch; one of those that pass the branch is looked for.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 4000);
  volatile char *block = malloc(n);
  if (n > 20)
    block[30] = 1;
  free((void *)block);
  return 0;
}
