// expect: paths=2 errors=ptr@12 exit=1
// A read past a global array. The neighbour is another object, not a place to read from.
#include <klee/klee.h>
#include <stdio.h>

char first[4] = "abc", second[4] = "def";

int main(void) {
  unsigned char at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 8);
  printf("%c%c\n", first[at], second[0]);
  return 0;
}
