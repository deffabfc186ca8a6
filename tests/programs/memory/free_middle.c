// expect: paths=1 errors=ptr@7 exit=1
// free of a pointer into the middle of a block.
#include <stdlib.h>

int main(void) {
  char *volatile block = malloc(10);
  free(block + 1);
  return 0;
}
