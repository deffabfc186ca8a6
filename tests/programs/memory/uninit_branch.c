// expect: paths=1..2 errors=uninit@11 exit=1
// options: --check uninit
// expect-O2: errors=unreachable@11+  why: the optimiser turns a branch on an undefined value into code that is never reached; the native program runs off its end
// A branch on memory that nobody wrote, an error on request.
#include <stdlib.h>
#include <stdio.h>

int main(void) {
  int *cells = malloc(2 * sizeof *cells);
  cells[0] = 1;
  if (cells[1])
    puts("set");
  free(cells);
  return 0;
}
