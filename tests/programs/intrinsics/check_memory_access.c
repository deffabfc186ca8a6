// expect: paths=2 errors=ptr@10+ exit=1
// Asks whether memory may be touched, without touching it.
#include <klee/klee.h>

int main(void) {
  char block[8];
  int x = klee_int("x");
  klee_check_memory_access(block, 8);
  if (x == 1)
    klee_check_memory_access(block, 9);
  return 0;
}
