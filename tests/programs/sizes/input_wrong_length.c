// expect: errors=user@12 exit=1
// The length of the input is not the object's.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 20);
  char *block = malloc(n + 1);
  if (n < 30)
    klee_make_symbolic(block, n, "block");
  free(block);
  return 0;
}
