// expect: paths=1 exit=0
// Many blocks, freed in another order; contents stay apart.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char *blocks[50];
  for (int i = 0; i < 50; i++) {
    blocks[i] = malloc(i + 1);
    memset(blocks[i], i, i + 1);
  }
  for (int i = 0; i < 50; i += 2)
    free(blocks[i]);
  for (int i = 1; i < 50; i += 2) {
    klee_assert(blocks[i][0] == i);
    klee_assert(blocks[i][i] == i);
    free(blocks[i]);
  }
  return 0;
}
