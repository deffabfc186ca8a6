// expect: paths=6 errors=ptr@12 exit=1
// The loop goes one too far, for each size.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 3) & (n <= 8));
  volatile char *block = malloc(n);
  for (unsigned i = 0; i <= n; i++)
    block[i] = i;
  free((void *)block);
  return 0;
}
