// expect: paths=7 exit=0
// A comparison with a word: it differs at the first, second or third letter, each way ended by the zero or not, or it is equal.
#include <klee/klee.h>

static int same(const char *a, const char *b) {
  for (; *a && *a == *b; a++, b++) {
  }
  return *a == *b;
}

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  if (same(text, "key"))
    klee_assert(text[0] == 'k' && text[1] == 'e' && text[2] == 'y');
  return 0;
}
