// paths: 7
// error: ptr@14 memory error: null page access
// error: ptr@15 memory error: use after free
// error: ptr@16 memory error: out of bound pointer
// error: ptr@17 memory error: out of bound pointer
// error: read_only@18 memory error: object read only
// error: ptr@19 memory error: out of bound pointer
// What must not be accessed.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  volatile char *p = malloc(8), *n = 0, *s = "text";
  switch (klee_range(0, 7, "x")) {
  case 1: n[3] = 1; break;
  case 2: free((void *)p); p[0] = 1; break;
  case 3: p[8] = 1; break;
  case 4: p[-1] = 1; break;
  case 5: s[0] = 1; break;
  case 6: *(volatile char *)0x12345678 = 1; break;
  }
  return 0;
}
