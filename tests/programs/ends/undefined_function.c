// expect: paths=1 exit=0 incomplete=external
// A function without a body is named at the start and ends only the path that reaches it.
#include <klee/klee.h>

extern int nobody_wrote_this(int);

int main(void) {
  int x = klee_int("x");
  if (x == 3)
    return nobody_wrote_this(x);
  return 0;
}
