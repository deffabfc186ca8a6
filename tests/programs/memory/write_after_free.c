// expect: paths=1 errors=ptr@8 exit=1
// A write after free.
#include <stdlib.h>

int main(void) {
  volatile char *block = malloc(10);
  free((void *)block);
  block[3] = 1;
  return 0;
}
