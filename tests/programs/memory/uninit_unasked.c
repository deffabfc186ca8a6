// expect: paths=1 exit=0
// Without asking, memory that nobody wrote has the fill pattern, the same on each run; a test that depends on it says so.
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);
  volatile int copy = *cell;
  (void)copy;
  free(cell);
  return 0;
}
