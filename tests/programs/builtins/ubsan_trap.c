// expect: paths=2 errors=overflow@9 exit=1
// options: --cflag -fsanitize=signed-integer-overflow --cflag -fsanitize-trap=all
// And so are its traps.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  printf("%d\n", x * 2);
  return 0;
}
