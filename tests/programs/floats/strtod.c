// expect: paths=1 exit=0
// Reading decimal numbers, correctly rounded.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *end;
  klee_assert(strtod("3.25e2x", &end) == 325.0);
  klee_assert(*end == 'x');
  klee_assert(strtod("0.1", NULL) == 0.1);
  klee_assert(strtod("9007199254740993", NULL) == 9007199254740992.0);
  klee_assert(atof("-1e-3") == -0.001);
  return 0;
}
