// expect: paths=1 exit=0
// An exit status that is a function of the input.
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  return (x ^ 0x55) & 63;
}
