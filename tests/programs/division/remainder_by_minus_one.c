// expect: paths=2 errors=overflow@10 exit=1
// So does INT_MIN % -1.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  volatile int minus_one = -1;
  printf("%d\n", x % minus_one);
  return 0;
}
