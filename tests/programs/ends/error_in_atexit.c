// expect: paths=2 errors=assert@8 exit=1
// A path does not end with main.
#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>

static int x;
static void check(void) { assert(x != 8); }

int main(void) {
  atexit(check);
  x = klee_int("x");
  return 0;
}
