// expect: paths=2 errors=assert@7 exit=1
// klee_assert reports like assert.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_assert(x != 77);
  return 0;
}
