// expect: paths=1 exit=0
// Printing a symbolic number does not fork; each test's output is filled in from its input.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  printf("x is %d, in hex %x, as a letter %c\n", x, x, 'a' + (x & 15));
  return 0;
}
