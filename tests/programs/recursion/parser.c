// expect: paths=7 exit=0
// Balanced parentheses over three letters by recursive descent.
#include <klee/klee.h>

static char text[4];

static int parse(int at) {
  while (text[at] == '(') {
    at = parse(at + 1);
    if (at < 0 || text[at] != ')')
      return -1;
    at++;
  }
  return at;
}

int main(void) {
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  int end = parse(0);
  if (end == 2)
    klee_assert(text[0] == '(' && text[1] == ')');
  return 0;
}
