// expect: paths=2 errors=ptr@12 exit=1
// The second free.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  void *volatile block = malloc(10);
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  free(block);
  if (x > 0)
    free(block);
  return 0;
}
