// paths: 1
// error: user@7 Wrong size given to klee_make_symbolic
// Nor more than it.
#include <klee/klee.h>
int main(void) {
  char b[8];
  klee_make_symbolic(b, 16, "b");
  return b[0];
}
