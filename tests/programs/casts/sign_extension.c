// expect: paths=2 errors=ptr@11 exit=1
// A plain char is signed here: 0x80 becomes a negative index.
#include <klee/klee.h>
#include <stdio.h>

int table[256];

int main(void) {
  char letter;
  klee_make_symbolic(&letter, sizeof letter, "letter");
  printf("%d\n", table[letter]);
  return 0;
}
