// expect: paths=2 exit=0
// Which of two cells is written is decided two levels away.
#include <klee/klee.h>

int main(void) {
  int a = 1, b = 2, x;
  int *p = &a, **pp = &p;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x)
    *pp = &b;
  *p = 9;
  klee_assert((x && b == 9 && a == 1) || (!x && a == 9 && b == 2));
  return 0;
}
