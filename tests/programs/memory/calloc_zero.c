// expect: paths=1 exit=0
// calloc gives zeros.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 100);
  int *cells = calloc(100, sizeof *cells);
  klee_assert(cells[at] == 0);
  free(cells);
  return 0;
}
