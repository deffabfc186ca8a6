// expect: paths=3 errors=uninit@14 exit=1
// options: --check uninit
// The path ends for the inputs that meet the byte nobody wrote, and goes on for the others.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char bytes[4];
  bytes[0] = 'a';
  bytes[1] = 'b';
  bytes[2] = 'c';
  unsigned i = klee_range(0, 4, "i");
  char c = bytes[i];
  if (c == 'b') puts("b");
  return 0;
}
