// expect: paths=2 exit=0
// An empty template is a barrier and nothing else.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  __asm__ volatile("" : "+r"(x) : : "memory");
  if (x > 3)
    return 0;
  return 0;
}
