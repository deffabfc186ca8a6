// expect: paths=1 errors=ptr@9 exit=1
// A block of no bytes cannot be read.
#include <stdlib.h>

int main(void) {
  volatile char *block = malloc(0);
  if (!block)
    return 0;
  return block[0];
}
