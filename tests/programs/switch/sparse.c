// expect: paths=4 exit=0
// Cases far apart, one of them negative.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case -1000000: puts("low"); break;
  case 7: puts("seven"); break;
  case 2000000000: puts("high"); break;
  default: puts("else");
  }
  return 0;
}
