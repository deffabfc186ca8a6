// expect: paths=1 errors=ptr@11 exit=1
// The byte behind the last one is outside for every size.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 64));
  volatile char *block = malloc(n);
  block[n] = 1;
  free((void *)block);
  return 0;
}
