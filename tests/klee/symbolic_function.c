// paths: 4
// error: exec@13 invalid function pointer
// A table of functions at a symbolic index.
#include <klee/klee.h>
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
typedef int (*function)(int);
int main(void) {
  function table[] = {one, two, three, 0};
  unsigned i = klee_int("i");
  klee_assume(i < 4);
  int got = table[i](1);
  klee_assert(got == (int)i + 2);
  return 0;
}
