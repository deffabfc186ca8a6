// expect: paths=1 exit=0
// sscanf on known text.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int a, b;
  char word[8];
  klee_assert(sscanf("12 -7 rock", "%d %d %7s", &a, &b, word) == 3);
  klee_assert(a == 12);
  klee_assert(b == -7);
  klee_assert(strcmp(word, "rock") == 0);
  return 0;
}
