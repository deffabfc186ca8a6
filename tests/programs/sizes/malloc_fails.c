// expect: paths=2 exit=0 incomplete=size
// A size that no allocation gives is a path of its own: malloc returns null.
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>

/* Optimisers believe that an allocation leaves errno alone. */
#define error (*(volatile int *)&errno)

int main(void) {
  error = 0;
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  void *volatile block = malloc(n);
  klee_assert(block || error == ENOMEM);
  free(block);
  return 0;
}
