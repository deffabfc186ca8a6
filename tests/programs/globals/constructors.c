// expect: paths=1 exit=0
// Constructors run before main in their order, destructors after it.
#include <klee/klee.h>
#include <stdio.h>

static int order;

__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(150))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void last(void) { puts("last"); }

int main(void) {
  klee_assert(order == 123);
  return 0;
}
