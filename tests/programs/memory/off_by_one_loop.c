// expect: paths=1 errors=ptr@10 exit=1
// expect-O2: errors=none  why: the block is never seen from outside, so the optimiser removes it with its writes; so does the native program
// A loop that writes one element too many, on every path.
#include <stdlib.h>
#include <stdio.h>

int main(void) {
  int *cells = malloc(4 * sizeof *cells);
  for (int i = 0; i <= 4; i++)
    cells[i] = i;
  printf("%d\n", cells[3]);
  free(cells);
  return 0;
}
