// expect: paths=2 errors=abort@9 exit=1
// abort on one path.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_int("x");
  if (x == 9)
    abort();
  return 0;
}
