// expect: paths=1 exit=0
// free(NULL) does nothing.
#include <stdlib.h>

int main(void) {
  void *volatile p = NULL;
  free(p);
  return 0;
}
