// expect: paths=1 exit=0
// realloc keeps the contents, symbolic ones too.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned char *block = malloc(2), x;
  klee_make_symbolic(&x, sizeof x, "x");
  block[0] = x;
  block[1] = x + 1;
  block = realloc(block, 100);
  klee_assert(block[0] == x);
  klee_assert(block[1] == (unsigned char)(x + 1));
  block[99] = 1;
  free(block);
  return 0;
}
