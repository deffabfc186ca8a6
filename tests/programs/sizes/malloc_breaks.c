// expect: errors=ptr@11 exit=1
// malloc(n) and an access that only some sizes allow.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 64));
  volatile char *block = malloc(n);
  block[10] = 1;
  free((void *)block);
  return 0;
}
