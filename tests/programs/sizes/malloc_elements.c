// expect: paths=2 errors=ptr@15 exit=1
// Elements of eight bytes: the number of elements, and the number of bytes, are told apart.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n >= 1) & (n <= 100));
  volatile long *block = malloc(n * sizeof *block);
  klee_assume(at < n);
  block[at] = 5;
  long value = block[at];
  block[at + 1] = 6;
  free((void *)block);
  return value == 5 ? 0 : 1;
}
