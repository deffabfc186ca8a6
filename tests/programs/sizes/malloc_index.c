// expect: errors=ptr@13 exit=1
// The index is checked against another size than the one allocated.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n >= 1) & (n <= 8));
  klee_assume(at <= n);
  volatile char *block = malloc(n);
  block[at] = 1;
  free((void *)block);
  return 0;
}
