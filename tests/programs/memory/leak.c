// expect: paths=2 errors=leak@14 exit=1
// options: --check leak
// native: skip, the leak checker looks at the whole process
// expect-O2: errors=none  why: the optimiser removes the block
// A block that is not freed on one path.
#include <klee/klee.h>
#include <stdlib.h>

static void *keep;

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  char *block = malloc(10);
  block[0] = x;
  if (block[0] == 5)
    return 0;
  free(block);
  return 0;
}
