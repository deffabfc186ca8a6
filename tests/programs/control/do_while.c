// expect: paths=3 exit=0
// The body runs before the first test.
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int rounds = 0;
  do {
    x >>= 3;
    rounds++;
  } while (x);
  return rounds > 3;
}
