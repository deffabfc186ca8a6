// expect: errors=ptr@20 exit=1
// The length of a copy may be one more than the size, for some sizes only: the size and the length are found together.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

char source[3000];
char *block;

int main(void) {
  unsigned size, take;
  klee_make_symbolic(&size, sizeof size, "size");
  klee_make_symbolic(&take, sizeof take, "take");
  klee_assume((size >= 1) & (size <= 2990));
  block = malloc(size);
  // Written without branches, so that the path does not tell the sizes apart.
  unsigned extra = (size > 100) & (size < 200);
  if (take > size + extra || take < 50)
    return 2;
  memcpy(block, source, take);
  return 0;
}
