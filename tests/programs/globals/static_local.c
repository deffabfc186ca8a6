// expect: paths=4 exit=0
// A static local keeps its value between calls, on each path its own.
#include <klee/klee.h>

static int __attribute__((noinline)) count(int step) {
  static int total;
  if (step > 0)
    total++;
  return total;
}

int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  count(a);
  int total = count(b);
  klee_assert(total == (a > 0) + (b > 0));
  return 0;
}
