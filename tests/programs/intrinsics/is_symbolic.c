// expect: paths=1 exit=0
// What is symbolic and what is not. Natively nothing is.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 5;
  if (klee_is_replay())
    return 0;
  klee_assert(klee_is_symbolic(x));
  klee_assert(!klee_is_symbolic(y));
  klee_assert(!klee_is_symbolic(x ^ x));
  return 0;
}
