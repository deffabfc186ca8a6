// expect: paths=4 exit=0
// A loop fixes the size on each path: nothing is left to choose.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 4);
  unsigned size = 0;
  while (size < n)
    size++;
  volatile char *block = malloc(size + 1);
  block[size] = 1;
  free((void *)block);
  return 0;
}
