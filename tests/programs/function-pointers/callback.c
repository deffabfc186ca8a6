// expect: paths=3 exit=0
// bubble sort of two bytes twice with a comparison that is passed in.
#include <klee/klee.h>

static int ascending(int a, int b) { return a > b; }
static int descending(int a, int b) { return a < b; }

static void order(unsigned char *cells, int (*wrong)(int, int)) {
  if (wrong(cells[0], cells[1])) {
    unsigned char kept = cells[0];
    cells[0] = cells[1];
    cells[1] = kept;
  }
}

int main(void) {
  unsigned char cells[2];
  klee_make_symbolic(cells, sizeof cells, "cells");
  order(cells, ascending);
  klee_assert(cells[0] <= cells[1]);
  order(cells, descending);
  klee_assert(cells[0] >= cells[1]);
  return 0;
}
