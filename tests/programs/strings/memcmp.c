// expect: paths=2..5 exit=0
// memcmp gives the sign of the first difference.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  int order = memcmp(text, "mmm", 3);
  klee_assert((order < 0) | (text[0] >= 'm'));
  klee_assert((order != 0) | ((text[0] == 'm') & (text[1] == 'm') & (text[2] == 'm')));
  return 0;
}
