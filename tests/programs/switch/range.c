// expect: paths=3 exit=0
// GNU case ranges.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char c;
  klee_make_symbolic(&c, sizeof c, "c");
  switch (c) {
  case '0' ... '9': puts("digit"); break;
  case 'a' ... 'z': puts("letter"); break;
  default: puts("other");
  }
  return 0;
}
