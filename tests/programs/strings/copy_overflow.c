// expect: paths=4 errors=ptr@12 exit=1
// strcpy by hand into a buffer of three: the fourth byte does not fit.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char text[5], copy[3];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[4] == 0);
  int i = 0;
  do
    copy[i] = text[i];
  while (text[i++]);
  printf("%d\n", copy[0] == 'a');
  return 0;
}
