// expect: paths=2 errors=overshift@10 exit=1
// So for the arithmetic right shift.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x, amount;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&amount, sizeof amount, "amount");
  printf("%d\n", x >> amount);
  return 0;
}
