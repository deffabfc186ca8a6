// expect: paths=2 exit=0
// Handlers run last to first, after main or exit, not after _exit.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void one(void) { puts("one"); }
static void two(void) { puts("two"); }

int main(void) {
  int x = klee_int("x");
  atexit(one);
  atexit(two);
  if (x == 0)
    _exit(2);
  return 0;
}
