// paths: 1
// says: in inner
// says: in main
// The calls in progress.
#include <klee/klee.h>
__attribute__((noinline)) static void inner(int n) { klee_stack_trace(); }
int main(void) {
  inner(4);
  return 0;
}
