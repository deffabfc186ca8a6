// expect: paths=2 exit=0
// >> of a negative int keeps the sign; of an unsigned it does not.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int arithmetic = x >> 31;
  unsigned logical = (unsigned)x >> 31;
  if (x < 0)
    assert((arithmetic == -1) & (logical == 1));
  else
    assert((arithmetic == 0) & (logical == 0));
  return 0;
}
