// expect: paths=2 errors=div@8 exit=1
// % divides, too.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  return 100 % x == 1;
}
