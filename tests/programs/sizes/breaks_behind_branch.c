// expect: errors=ptr@12 exit=1
// Some sizes that pass the branch are too small for the access behind it.
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
