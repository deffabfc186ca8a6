// expect: paths=1 exit=0
// A weak function without a body is null.
#include <klee/klee.h>

extern void missing(void) __attribute__((weak));

int main(void) {
  if (missing)
    missing();
  return 0;
}
