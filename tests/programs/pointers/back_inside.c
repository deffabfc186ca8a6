// expect: paths=1 exit=0
// An address outside its object is no error until it is used, and it can come back.
#include <klee/klee.h>

int main(void) {
  char block[4] = {1, 2, 3, 4};
  volatile long far = 1000;
  char *p = block + far;
  p -= far - 2;
  klee_assert(*p == 3);
  return 0;
}
