// expect: paths=1 errors=free@8 exit=1
// free of a local variable.
#include <stdlib.h>

int main(void) {
  int cell = 1;
  void *volatile p = &cell;
  free(p);
  return 0;
}
