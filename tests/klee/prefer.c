// paths: 1
// object: x 41000000
// A preference chooses among the inputs of a path.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_prefer_cex(&x, x > 10);
  klee_prefer_cex(&x, x == 65);
  klee_prefer_cex(&x, x == 66);
  return 0;
}
