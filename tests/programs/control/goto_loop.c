// expect: paths=4 exit=0
// A loop made of gotos.
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int rounds = 0;
again:
  if (x < 64)
    goto done;
  x -= 64;
  rounds++;
  goto again;
done:
  return rounds > 3;
}
