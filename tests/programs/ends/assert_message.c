// expect: paths=2 errors=assert@6 exit=1
// An assert in a called function, with the stack above it.
#include <assert.h>
#include <klee/klee.h>

static void __attribute__((noinline)) deep(int x) { assert(x < 1000 && "too large"); }
static void __attribute__((noinline)) middle(int x) { deep(x + 1); }

int main(void) {
  int x = klee_int("x");
  klee_assume((x >= 0) & (x < 100000));
  middle(x);
  return 0;
}
