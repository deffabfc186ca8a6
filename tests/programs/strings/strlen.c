// expect: paths=4..16 exit=0
// libc's strlen on a symbolic string.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  size_t length = strlen(text);
  klee_assert(length <= 3);
  klee_assert(text[length] == 0);
  return 0;
}
