// paths: 1
// error: user@7 Wrong size given to klee_make_symbolic
// A part of an object cannot be made symbolic.
#include <klee/klee.h>
int main(void) {
  char b[8];
  klee_make_symbolic(b, 4, "b");
  return b[0];
}
