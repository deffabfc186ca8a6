// expect: paths=2 errors=ptr@13 exit=1
// expect-O2: errors=none  why: nobody but this function sees the block, so the optimiser drops it and reads zero; so does the native program
// A read past a heap block.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char *block = calloc(16, 1);
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at <= 16);
  printf("%d\n", block[at]);
  free(block);
  return 0;
}
