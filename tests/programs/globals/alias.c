// expect: paths=1 exit=0
// Two names for one function and one object.
#include <klee/klee.h>

int original(int x) { return x + 1; }
extern int other(int x) __attribute__((alias("original")));
int cell = 3;
extern int twin __attribute__((alias("cell")));

int main(void) {
  klee_assert(other(4) == 5);
  twin = 8;
  klee_assert(*(volatile int *)&cell == 8);
  return 0;
}
