// expect: paths=3 errors=ptr@15 exit=1
// Rows of different lengths behind pointers: the index fits the long row only, so the short ones end in an error at one place.
#include <klee/klee.h>
#include <stdio.h>

char row0[2] = {1, 2}, row1[4] = {3, 4, 5, 6};
char *const rows[2] = {row0, row1};

int main(void) {
  unsigned char r, c;
  klee_make_symbolic(&r, sizeof r, "r");
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume(r < 2);
  klee_assume(c < 4);
  printf("%d\n", rows[r][c]);
  return 0;
}
