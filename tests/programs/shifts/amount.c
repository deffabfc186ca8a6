// expect: paths=2 errors=overshift@9 exit=1
// A shift by the width or more.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned amount;
  klee_make_symbolic(&amount, sizeof amount, "amount");
  printf("%u\n", 1u << amount);
  return 0;
}
