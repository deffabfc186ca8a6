// paths: 2
// object: c 4
// object: c 8
// An object chosen by the input.
#include <klee/klee.h>
static int a; static long b;
int main(void) {
  int i = klee_range(0, 2, "i");
  klee_make_symbolic(i ? (void *)&a : (void *)&b, i ? sizeof a : sizeof b, "c");
  return 0;
}
