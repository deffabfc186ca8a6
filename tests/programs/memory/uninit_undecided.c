// expect: paths=1 errors=none incomplete=solver exit=0
// options: --check uninit --solver-timeout 200ms
// expect-O2: incomplete=none  why: the optimiser sees that no byte makes the comparison true
// Whether memory that was never written matters depends on the factors of a large number: nobody decides that in time, and what
// nobody decides is no error.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1 & b > 1);
  unsigned long product = (unsigned long)a * b;
  unsigned char *unset = malloc(1);
  unsigned mask = -(product == 13655186832610947677ul);
  if ((*unset & mask) == 77)
    return 1;
  return 0;
}
