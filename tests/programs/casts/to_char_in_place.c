// expect: paths=2 errors=assert@11 exit=1
// EOF (-1) and the byte 255 become one when a getchar-like value is kept in a char.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int c;
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume((c >= 0) & (c <= 255));
  char kept = c;
  assert(kept != -1);
  return 0;
}
