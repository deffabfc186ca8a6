// expect: paths=1 errors=free@9 exit=1
// free of a global.
#include <stdlib.h>

int cell;

int main(void) {
  void *volatile p = &cell;
  free(p);
  return 0;
}
