// expect: paths=4 errors=ptr@14,ptr@16 exit=1
// The same kind at two places is two errors; the same place on two paths is one.
#include <klee/klee.h>
#include <stdio.h>

char table[4];

int main(void) {
  unsigned char x, at;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 6);
  if (x > 100)
    table[at] = 1;
  else
    printf("%d\n", table[at]);
  return 0;
}
