// paths: 9
// error: div@10 divide by zero
// error: div@11 divide by zero
// error: overshift@12 overshift error
// error: overshift@13 overshift error
// What has no result.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x"), y = klee_int("y"); switch (y) {
  case 1: return 5 / x != 9;
  case 2: return 5u % x != 9;
  case 3: return 1 << x != 9;
  case 4: return 100u >> x != 9;
  }
  return 0;
}
