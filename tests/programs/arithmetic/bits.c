// expect: paths=9 exit=0
// Counting the bits of a byte by clearing the lowest one: one path for each count.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int count = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  printf("%d\n", count);
  return 0;
}
