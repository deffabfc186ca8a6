// expect: paths=1 exit=0
// strtol on known text: bases, signs, limits, errno.
#include <errno.h>
#include <klee/klee.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  char *end;
  klee_assert(strtol("  -123x", &end, 10) == -123);
  klee_assert(*end == 'x');
  klee_assert(strtol("0x1f", NULL, 0) == 31);
  klee_assert(strtol("0777", NULL, 0) == 511);
  klee_assert(strtoul("zz", NULL, 36) == 35 * 36 + 35);
  errno = 0;
  klee_assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX);
  klee_assert(errno == ERANGE);
  klee_assert(atoi("42") == 42);
  return 0;
}
