// expect: paths=2 exit=0
// options: --check uninit
// Of a block of symbolic size realloc keeps the bytes that it had, and nothing that was never written is read.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 8));
  unsigned char *block = calloc(n, 1);
  block = realloc(block, 9);
  int value = block[0];
  block[8] = 5;
  if (n == 8)
    value += block[7];
  free(block);
  return value;
}
