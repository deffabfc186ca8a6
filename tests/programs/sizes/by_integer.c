// expect: paths=2 errors=ptr@15 exit=1
// options: --provenance off
// Without origins the object is found by its address, and its size counts all the same.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 4) & (n <= 30));
  char *block = malloc(n);
  uintptr_t address = (uintptr_t)block;
  block[0] = 1;
  *(volatile char *)(address + 10) = 2;
  free(block);
  return 0;
}
