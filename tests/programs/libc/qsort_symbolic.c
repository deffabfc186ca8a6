// expect: paths=4..13 exit=0
// Three symbolic elements: every order, at least the four that comparisons tell apart.
#include <klee/klee.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  return *(const unsigned char *)a < *(const unsigned char *)b ? -1 : 1;
}

int main(void) {
  unsigned char cells[3];
  klee_make_symbolic(cells, sizeof cells, "cells");
  qsort(cells, 3, 1, compare);
  klee_assert(cells[0] <= cells[1]);
  klee_assert(cells[1] <= cells[2]);
  return 0;
}
