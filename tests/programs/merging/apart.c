// expect: paths=10..14 errors=ptr@29 exit=1
// options: --merge pattern --check-merges
// expect-O2: errors=none  why: the read of a null pointer is removed
// What cannot be merged goes on as forks: output, pointers to different objects, exits.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

static int one = 1, two = 2;

int main(void) {
  char b[4];
  int *p = &one;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < 3; i++) {
    if (b[i] == 'q')
      exit(3);
    if (b[i] == 'p')
      putchar('p');
    if (b[i] == 't') {
      p = &two;
      break;
    }
    if (b[i] == 'n') {
      p = 0;
      break;
    }
  }
  return *p == 7;
}
