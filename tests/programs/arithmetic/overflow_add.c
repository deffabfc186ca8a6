// expect: paths=2 errors=overflow@10 exit=1
// options: --check overflow
// Signed overflow on request.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x + 1;
  printf("%d\n", y);
  return 0;
}
