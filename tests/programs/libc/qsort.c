// expect: paths=1 exit=0
// libc's qsort on known values.
#include <klee/klee.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int cells[10] = {5, 3, 9, -1, 0, 7, 7, 2, 100, -50};
  qsort(cells, 10, sizeof *cells, compare);
  for (int i = 0; i < 9; i++)
    klee_assert(cells[i] <= cells[i + 1]);
  return 0;
}
