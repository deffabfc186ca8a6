// expect: paths=3 exit=0
// Several values with one body are one path.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  char c;
  klee_make_symbolic(&c, sizeof c, "c");
  switch (c) {
  case 'a': case 'e': case 'i': case 'o': case 'u':
    puts("vowel");
    break;
  case ' ': case '\t': case '\n':
    puts("blank");
    break;
  default:
    puts("other");
  }
  return 0;
}
