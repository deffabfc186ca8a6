// expect: paths=2 errors=ptr@11 exit=1
// A write past an array on the stack.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char name[8] = "abcdefg";
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 12);
  name[at] = 'x';
  printf("%c\n", name[0]);
  return 0;
}
