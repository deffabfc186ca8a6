// expect: paths=1 errors=ptr@11 exit=1
// The old block is gone after realloc, even where it did not move.
#include <stdlib.h>
#include <stdio.h>

int main(void) {
  char *volatile old = malloc(8);
  old[0] = 'a';
  char *block = realloc(old, 4096);
  printf("%c\n", block[0]);
  printf("%c\n", old[0]);
  free(block);
  return 0;
}
