// expect: paths=3 exit=0
// A switch over 64 bits.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 0x100000000: puts("one over"); break;
  case 0xffffffffffffffff: puts("all"); break;
  default: puts("else");
  }
  return 0;
}
