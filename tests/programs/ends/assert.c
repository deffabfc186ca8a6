// expect: paths=3 errors=assert@8,assert@9 exit=1
// Two asserts, each with its own input.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  assert(x != 5);
  assert(x != 7 || x < 0);
  return 0;
}
