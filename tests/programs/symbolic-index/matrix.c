// expect: paths=2 exit=0
// Two dimensions.
#include <klee/klee.h>

static const char board[3][4] = {"x.o", ".x.", "o.x"};

int main(void) {
  unsigned char row, column;
  klee_make_symbolic(&row, sizeof row, "row");
  klee_make_symbolic(&column, sizeof column, "column");
  klee_assume(row < 3);
  klee_assume(column < 3);
  if (board[row][column] == 'o')
    klee_assert(row + column == 2);
  return 0;
}
