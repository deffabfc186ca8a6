// expect: paths=4 exit=0
// The length of a string of at most three letters.
#include <klee/klee.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  int length = 0;
  while (text[length])
    length++;
  klee_assert(length <= 3);
  return 0;
}
