// expect: paths=2 errors=ptr@8 exit=1
// A matrix of variable length, read one row too far for some.
#include <klee/klee.h>

static int at(unsigned rows, unsigned columns, unsigned row, unsigned column) {
  volatile int values[rows][columns];
  values[0][0] = 1;
  values[row][column] = 2;
  return values[row][column];
}

int main(void) {
  unsigned rows, row;
  klee_make_symbolic(&rows, sizeof rows, "rows");
  klee_make_symbolic(&row, sizeof row, "row");
  klee_assume((rows >= 1) & (rows <= 20));
  klee_assume(row <= rows);
  return at(rows, 3, row, 2) == 2 ? 0 : 1;
}
