// expect: paths=1..2 exit=0
// Nothing uses the missing value: no error.
#include <klee/klee.h>

static int __attribute__((noinline)) maybe(int x) {
  if (x > 0)
    return x;
  return 0;
}

int main(void) {
  maybe(klee_int("x"));
  return 0;
}
