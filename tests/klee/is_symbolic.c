// paths: 1
// Of values, of memory, and of what was computed from them.
#include <klee/klee.h>
#include <stdlib.h>
int g = 4;
int main(void) {
  int x, u; char *h = malloc(2);
  klee_assert(!klee_is_symbolic(g));
  klee_assert(!klee_is_symbolic((uintptr_t)h));
  klee_make_symbolic(&g, sizeof g, "g");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(h, 2, "h");
  klee_assert(klee_is_symbolic(g));
  klee_assert(klee_is_symbolic(x));
  klee_assert(klee_is_symbolic(h[1]));
  klee_assert(!klee_is_symbolic(x * 0));
  klee_assert(!klee_is_symbolic(x ^ x));
  x = 3;
  klee_assert(!klee_is_symbolic(x));
  return 0;
}
