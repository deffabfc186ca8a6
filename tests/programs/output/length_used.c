// expect: paths=3..40 exit=0
// Where the returned length is used, the real code runs: one path at least for each length.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int length = printf("%d", x);
  klee_assert((length == 1) == (x < 10));
  klee_assert((length == 3) == (x >= 100));
  return 0;
}
