// paths: 1
// Memory that was never written is no input.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  klee_assert(!klee_is_symbolic(*p));
  return 0;
}
