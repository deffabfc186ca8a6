// expect: paths=2 exit=0
// exit from inside a call: nothing after it runs.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int x) {
  if (x < 0) {
    puts("negative");
    exit(1);
  }
}

int main(void) {
  int x = klee_int("x");
  check(x);
  klee_assert(x >= 0);
  return 0;
}
