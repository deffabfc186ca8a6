// paths: 2
// error: assert@6 ASSERTION FAIL: by hand
// What KLEE's own header makes of klee_assert.
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") == 1) klee_assert_fail("by hand", __FILE__, __LINE__, "main");
  return 0;
}
