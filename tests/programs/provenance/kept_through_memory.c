// expect: paths=1 errors=ptr@12 exit=1
// The origin of a pointer is kept through memory and arithmetic.
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *a = malloc(16), *b = malloc(16);
  char *volatile slot = a;
  volatile long distance = (long)((uintptr_t)b - (uintptr_t)a);
  b[0] = 0;
  char *p = slot + distance;
  *p = 1;
  int value = b[0];
  free(a);
  free(b);
  return value;
}
