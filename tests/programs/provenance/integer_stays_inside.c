// expect: paths=1 errors=ptr@24 exit=1
// Numbers computed from one address alone, or from two of one object, do not change what a pointer points into: an index too far is an error
// even where another object lies there.
#include <stdint.h>
#include <stdlib.h>

int table[64], behind[1024];

int main(void) {
  char *block = malloc(8192);
  // Aligned by hand, in several ways.
  uintptr_t address = (uintptr_t)block;
  char *a = (char *)((address + 63) & ~(uintptr_t)63);
  char *b = (char *)(address + (-address & 4095));
  char *c = (char *)(address + (4096 - address % 4096) % 4096);
  a[0] = b[0] = c[0] = 1;
  // A hash of an address is an index like any other.
  table[(address >> 4) % 64] = 1;
  // As is a count of elements.
  volatile long count = (long)(((uintptr_t)&table[64] - (uintptr_t)&table[0]) / sizeof(int));
  int *volatile t = table;
  uintptr_t last = (uintptr_t)t + (uintptr_t)count * sizeof(int) + 64;
  free(block);
  return *(int *)last;
}
