// expect: paths=2 exit=0
// A size known to be one of two: the access fits both.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (n > 100)
    n = 16;
  else
    n = 8;
  char *block = malloc(n);
  block[7] = 1;
  free(block);
  return 0;
}
