// paths: 1
// error: ptr@6 check_memory_access: memory error
// Nothing is at null.
#include <klee/klee.h>
int main(void) {
  klee_check_memory_access(0, 1);
  return 0;
}
