// expect: paths=1 errors=ptr@9+ exit=1
// memset past the end.
#include <stdlib.h>
#include <string.h>

int main(void) {
  volatile size_t n = 11;
  char *block = malloc(10);
  memset(block, 0, n);
  int first = block[0];
  free(block);
  return first;
}
