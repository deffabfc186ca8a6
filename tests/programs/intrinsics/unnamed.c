// expect: paths=2 exit=0
// A null name is allowed.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, 0);
  if (x > 1)
    return 0;
  return 0;
}
