// expect: paths=1 exit=0
// So for symbolic letters.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[3] == 0);
  klee_assume((text[0] >= 'a') & (text[0] <= 'z'));
  klee_assume((text[1] >= 'a') & (text[1] <= 'z'));
  klee_assume((text[2] >= 'a') & (text[2] <= 'z'));
  printf("<%s>\n", text);
  return 0;
}
