// expect: paths=4..9 exit=0
// The first comma, found by libc.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[2] == 0);
  char *comma = strchr(text, ',');
  if (comma)
    klee_assert(*comma == ',');
  else
    klee_assert(text[0] != ',');
  return 0;
}
