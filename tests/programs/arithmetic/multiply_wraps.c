// expect: paths=2 errors=assert@11 exit=1
// A size computed as count * 16 wraps: the check after it passes for a huge count.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned count;
  klee_make_symbolic(&count, sizeof count, "count");
  klee_assume(count > 100);
  unsigned bytes = count * 16;
  assert(bytes > 100);
  return 0;
}
