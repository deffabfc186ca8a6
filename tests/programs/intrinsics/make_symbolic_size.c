// expect: paths=1 errors=user@7 exit=1
// A size that is not the object's is a mistake of the harness.
#include <klee/klee.h>

int main(void) {
  int x = 0;
  klee_make_symbolic(&x, 8, "x");
  return x == 1;
}
