// expect: paths=1 exit=0 incomplete=float
// A symbolic operand ends the path as incomplete, and says so; the other path is complete.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 0)
    return 0;
  volatile double y = x;
  return y > 2.0;
}
