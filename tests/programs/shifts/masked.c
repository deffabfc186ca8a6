// expect: paths=1 exit=0
// A masked amount is safe; the shifted byte is an int, so 31 is allowed.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char x, amount;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&amount, sizeof amount, "amount");
  printf("%u\n", (unsigned)x << (amount & 31));
  return 0;
}
