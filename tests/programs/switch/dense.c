// expect: paths=5 exit=0
// Four cases and the default.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 0: puts("zero"); break;
  case 1: puts("one"); break;
  case 2: puts("two"); break;
  case 3: puts("three"); break;
  default: puts("many");
  }
  return 0;
}
