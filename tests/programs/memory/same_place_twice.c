// expect: paths=4 errors=ptr@15 exit=1
// One place on two paths: reported once.
#include <klee/klee.h>
#include <stdio.h>

char table[4];

int main(void) {
  unsigned char x, at;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 6);
  if (x > 100)
    puts("above");
  printf("%d\n", table[at]);
  return 0;
}
