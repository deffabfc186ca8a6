// expect: paths=2 errors=uninit@15 exit=1
// expect-O2: errors=uninit@18+  why: what is chosen without a branch decides where it is returned
// options: --check uninit
// What realloc adds behind a block of symbolic size was never written, even where calloc made the block.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 8));
  volatile unsigned char *block = calloc(n, 1);
  block = realloc((void *)block, 8);
  int value = 0;
  if (block[7]) value = 1;
  free((void *)block);
  return value;
}
