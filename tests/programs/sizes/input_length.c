// expect: paths=2 errors=ptr@14 exit=1
// An input of symbolic length: the test has just so many bytes.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n >= 5) & (n <= 200));
  char *block = malloc(n);
  klee_make_symbolic(block, n, "block");
  klee_assume((block[4] == 'x') & (at <= n));
  ((volatile char *)block)[at];
  int end = block[n - 1];
  free(block);
  return end == 'y';
}
