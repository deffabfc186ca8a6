// expect: errors=ptr@11+ exit=1
// strcpy of a symbolic string: the longest does not fit. The error lies in libc, the card names the call.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[4], copy[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  strcpy(copy, text);
  printf("%d\n", copy[0] == 'a');
  return 0;
}
