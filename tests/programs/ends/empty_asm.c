// expect: paths=2 exit=0
// A template without an instruction is a barrier and nothing else.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  __asm__ volatile("" : "+r"(x) : : "memory");
  __asm__ volatile("# a comment, as busybox has it" : "+r"(x));
  if (x > 3)
    return 0;
  return 0;
}
