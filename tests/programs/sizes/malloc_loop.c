// expect: paths=9 exit=0
// A loop over all bytes leaves no object, and a path for each size.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 8);
  unsigned char *block = malloc(n);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    block[i] = i;
  for (unsigned i = 0; i < n; i++)
    sum += block[i];
  free(block);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
