// expect: errors=assert@11 exit=1 incomplete=error
// options: --exit-on-error --search dfs
// The first error ends the run.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[4];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 4; i++)
    assert(bytes[i] != 7);
  return 0;
}
