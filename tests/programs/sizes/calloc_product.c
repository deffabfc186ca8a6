// expect: paths=2 exit=0
// calloc of two terms: all bytes are zero, and a product that wraps gives null.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t n, each;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&each, sizeof each, "each");
  klee_assume((n >= 1) & (n <= 30));
  klee_assume(((each >= 1) & (each <= 30)) | (each == (size_t)-1));
  unsigned char *block = calloc(n, each);
  if (!block)
    return n > 1 ? 0 : 1;
  int sum = block[0] + block[n * each - 1];
  free(block);
  return sum;
}
