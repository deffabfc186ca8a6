// expect: paths=2 errors=overflow@9 exit=1
// options: --cflag -fsanitize=signed-integer-overflow
// UBSan's handler calls are errors.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  printf("%d\n", x + 1);
  return 0;
}
