// expect: paths=2 errors=ptr@14 exit=1
// row * 10 + column leaves the table only for the last rows.
#include <klee/klee.h>
#include <stdio.h>

char table[95];

int main(void) {
  unsigned char row, column;
  klee_make_symbolic(&row, sizeof row, "row");
  klee_make_symbolic(&column, sizeof column, "column");
  klee_assume(row < 10);
  klee_assume(column < 10);
  printf("%d\n", table[row * 10 + column]);
  return 0;
}
