// expect: paths=2 errors=leak@11 exit=1
// options: --check leak
// expect-O2: errors=none  why: the optimiser removes a block that nobody sees, and with it the leak; so does the native program
// A block that is not freed on one path.
#include <klee/klee.h>
#include <stdlib.h>

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
