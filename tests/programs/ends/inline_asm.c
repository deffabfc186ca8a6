// expect: paths=1 exit=0 incomplete=unsupported
// An instruction that is not understood ends its path and is named.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 0;
  if (x == 3)
    __asm__ volatile("cpuid" : "=a"(y) : "a"(0) : "ebx", "ecx", "edx");
  return y == 77;
}
