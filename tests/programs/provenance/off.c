// expect: paths=1 exit=0
// options: --provenance off
// KLEE's rule: an address belongs to the object it lies in.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *a = malloc(16), *b = malloc(16);
  char *volatile slot = a;
  volatile long distance = (long)((uintptr_t)b - (uintptr_t)a);
  b[0] = 0;
  char *p = slot + distance;
  *p = 1;
  klee_assert(*(volatile char *)b == 1);
  free(a);
  free(b);
  return 0;
}
