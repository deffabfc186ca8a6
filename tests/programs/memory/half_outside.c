// expect: paths=2 errors=ptr@14 exit=1
// expect-O2: errors=none  why: nobody but this function sees the block, so the optimiser drops it and reads zero; so does the native program
// A four-byte read that begins inside and ends outside.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *block = calloc(8, 1);
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 8);
  int value;
  value = *(int *)(block + at);
  printf("%d\n", value);
  free(block);
  return 0;
}
