// expect: paths=1..2 errors=uninit@11 exit=1
// options: --check uninit
// native: skip, needs another sanitizer
// A branch on memory that nobody wrote, an error on request.
#include <stdlib.h>
#include <stdio.h>

int main(void) {
  volatile int *cells = malloc(2 * sizeof *cells);
  cells[0] = 1;
  if (cells[1])
    puts("set");
  free((void *)cells);
  return 0;
}
