// expect: exit=0 incomplete=time
// options: --max-time 1s
// A loop without end stops at the time limit.
#include <klee/klee.h>

int main(void) {
  volatile unsigned x = klee_int("x");
  while (x != 12345)
    x = x * 5 + 1;
  return 0;
}
