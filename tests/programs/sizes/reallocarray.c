// expect: paths=2 exit=0
// A product that wraps leaves the block as it is.
#define _GNU_SOURCE
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(((n >= 1) & (n <= 20)) | (n == (size_t)1 << 62));
  int *block = malloc(sizeof *block);
  block[0] = 4;
  int *moved = reallocarray(block, n, sizeof *block);
  if (!moved) {
    int value = block[0];
    free(block);
    return value == 4 ? 0 : 1;
  }
  moved[n - 1] = 4;
  int value = moved[0];
  free(moved);
  return value == 4 || n > 1 ? 0 : 1;
}
