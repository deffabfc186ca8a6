// expect: paths=1 exit=0
// One object whose size is the term: its last byte is inside for each of 64 sizes, on one path.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 64));
  unsigned char *block = malloc(n);
  block[0] = 7;
  block[n - 1] = 9;
  int sum = block[n - 1];
  free(block);
  return sum == 9 ? 0 : 1;
}
