// expect: errors=ptr@12+ exit=1
// memcpy of a symbolic length into a buffer that is too small for some.
#include <klee/klee.h>
#include <string.h>
#include <stdio.h>

int main(void) {
  char from[32] = "somewhat longer than the other", to[16] = "";
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 32);
  memcpy(to, from, n);
  printf("%c\n", to[0]);
  return 0;
}
