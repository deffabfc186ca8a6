// paths: 3
// error: assert@9 ASSERTION FAIL: x != 7
// error: assert@10 ASSERTION FAIL: x > -9 && "low"
// The message has the condition.
#include <klee/klee.h>
#include <assert.h>
int main(void) {
  int x = klee_int("x");
  klee_assert(x != 7);
  assert(x > -9 && "low");
  return 0;
}
