// expect: paths=4 errors=ptr@10 exit=1
// Nobody promised the zero at the end.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  int length = 0;
  while (text[length])
    length++;
  printf("%d\n", length);
  return 0;
}
