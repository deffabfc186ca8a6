// paths: 2
// error: ptr@10 check_memory_access: memory error
// A check without an access.
#include <klee/klee.h>
int main(void) {
  char b[8];
  klee_check_memory_access(b, 8);
  klee_check_memory_access(b + 7, 1);
  if (klee_int("x"))
    klee_check_memory_access(b + 7, 2);
  return 0;
}
