// expect: paths=1 exit=0
// There is an address to return to, and a frame; of those above nothing is known.
#include <klee/klee.h>
#include <stddef.h>

__attribute__((noinline)) static void *caller(void) { return __builtin_return_address(0); }

__attribute__((noinline)) static int has_frame(void) {
  char *volatile frame = __builtin_frame_address(0);
  return frame != NULL;
}

int main(void) {
  void *volatile address = caller();
  klee_assert(address != NULL);
  klee_assert((void *(*)(void))address != caller);
  klee_assert(has_frame());
  return 0;
}
