// expect: paths=1 errors=ptr@7 exit=1
// A write through null.
#include <stddef.h>

int main(void) {
  volatile int *p = NULL;
  *p = 1;
  return 0;
}
