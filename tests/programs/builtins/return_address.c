// expect: paths=1 exit=0
// There is an address to return to, which tells callers apart, and a frame; of those above nothing is known.
#include <klee/klee.h>
#include <stddef.h>

__attribute__((noinline)) static void *caller(void) { return __builtin_return_address(0); }

__attribute__((noinline)) static void *other(void) {
  void *volatile address = __builtin_return_address(0);
  return address;
}

static void *(*volatile functions[])(void) = {caller, other, caller};

__attribute__((noinline)) static void *elsewhere(void) {
  void *volatile address = caller();
  return address;
}

// One place of calls, also where loops are unrolled.
__attribute__((noinline)) static void *through(int i) {
  void *volatile address = functions[i]();
  return address;
}

__attribute__((noinline)) static int has_frame(void) {
  char *volatile frame = __builtin_frame_address(0);
  return frame != NULL;
}

int main(void) {
  void *volatile address = caller();
  klee_assert(address != NULL);
  klee_assert((void *(*)(void))address != caller);
  void *volatile found[3];
  for (int i = 0; i < 3; i++)
    found[i] = through(i);
  klee_assert(found[0] == found[1] && found[1] == found[2]);
  klee_assert(found[0] != address);
  klee_assert(found[0] != elsewhere());
  klee_assert(has_frame());
  return 0;
}
