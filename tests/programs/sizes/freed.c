// expect: paths=3 errors=ptr@15,ptr@17 exit=1
// Use after free and a free in the middle of a block of symbolic size.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, which;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&which, sizeof which, "which");
  klee_assume((n >= 2) & (n <= 30));
  char *block = malloc(n);
  block[0] = 1;
  if (which == 1) {
    free(block);
    ((volatile char *)block)[n - 1] = 1;
  } else if (which == 2) {
    free(block + 1);
  } else {
    free(block);
  }
  return 0;
}
