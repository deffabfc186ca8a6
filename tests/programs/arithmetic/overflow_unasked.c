// expect: paths=1 exit=0
// Signed overflow is no error unless asked for: the sum wraps.
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int y = x + 1;
  return y < x;
}
