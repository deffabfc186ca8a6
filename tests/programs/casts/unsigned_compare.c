// expect: paths=2 exit=0
// -1 compared with an unsigned length is the largest number.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int offset;
  klee_make_symbolic(&offset, sizeof offset, "offset");
  klee_assume(offset >= -1);
  unsigned long length = 10;
  if (offset < length)
    klee_assert(offset >= 0 && offset < 10);
  return 0;
}
