// expect: paths=1 exit=0
// A variable that nobody set.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  klee_assert(getenv("STRATA_NO_SUCH_VARIABLE") == NULL);
  klee_assert(setenv("STRATA_NO_SUCH_VARIABLE", "x", 1) == 0);
  klee_assert(*getenv("STRATA_NO_SUCH_VARIABLE") == 'x');
  return 0;
}
