// paths: 6
// error: free@13 free of alloca
// error: free@14 free of global
// error: ptr@15 memory error: invalid pointer: free
// error: ptr@16 memory error: double free
// error: ptr@17 memory error: invalid pointer: free
// What must not be freed.
#include <klee/klee.h>
#include <stdlib.h>
int g; int main(void) {
  int l; char *p = malloc(8);
  switch (klee_range(0, 6, "x")) {
  case 1: free(&l); break;
  case 2: free(&g); break;
  case 3: free(p + 1); break;
  case 4: free(p); free(p); break;
  case 5: free((void *)0x1234567); break;
  default: free(0); free(p);
  }
  return 0;
}
