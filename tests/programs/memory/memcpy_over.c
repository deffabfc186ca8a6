// expect: paths=2 errors=ptr@13+ exit=1
// memcpy with a length from the input.
#include <klee/klee.h>
#include <string.h>
#include <stdio.h>

int main(void) {
  char from[8] = "1234567", to[4];
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n == 4) | (n == 5));
  if (n == 5)
    memcpy(to, from, 5);
  else
    memcpy(to, from, 4);
  printf("%.4s\n", to);
  return 0;
}
