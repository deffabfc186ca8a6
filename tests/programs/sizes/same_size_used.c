// expect: paths=10 exit=0
// The size is used again for all that is done with the block, and none breaks it.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

char *block;

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 10));
  block = malloc(n);
  memset(block, 1, n);
  int sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += block[i];
  block[n - 1] = 0;
  klee_assert(sum == (int)n);
  free(block);
  return 0;
}
