/* Words, numbers and marks: how many tokens there are, and of which kind the last one is. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

static int class(char c) {
  if (c >= 'a' && c <= 'z')
    return 1;
  if (c >= '0' && c <= '9')
    return 2;
  return c == ' ' ? 0 : 3;
}

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  int i = 0, tokens = 0, last = 0;
  while (b[i]) {
    int kind = class(b[i]);
    int start = i;
    while (b[i] && class(b[i]) == kind)
      i++;
    if (kind) {
      tokens++;
      last = kind;
    }
  }
  return tokens == 3 && last == 2;
}
