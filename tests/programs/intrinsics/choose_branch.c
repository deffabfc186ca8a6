// expect: paths=3 exit=0
// Choices are inputs like others.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  switch (klee_choose(3)) {
  case 0: puts("left"); break;
  case 1: puts("right"); break;
  default: puts("on");
  }
  return 0;
}
