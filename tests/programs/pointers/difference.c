// expect: paths=2 exit=0
// strchr by hand, and the distance it walked.
#include <klee/klee.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  const char *p = text, *end = text + 3;
  klee_assume(text[0] != ':');
  klee_assume(text[1] != ':');
  while (p < end && *p != ':')
    p++;
  klee_assert(p - text >= 2);
  return 0;
}
