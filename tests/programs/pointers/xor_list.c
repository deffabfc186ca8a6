// expect: paths=1 exit=0
// Two pointers kept as their exclusive or.
#include <klee/klee.h>
#include <stdint.h>

int first = 1, second = 2;

int main(void) {
  volatile uintptr_t both = (uintptr_t)&first ^ (uintptr_t)&second;
  int *p = (int *)(both ^ (uintptr_t)&first);
  klee_assert(*p == 2);
  return 0;
}
