// expect: paths=7 exit=0
// m below 3 and n below 3: n is looked at only where m is not zero.
#include <klee/klee.h>

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  unsigned m, n;
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((m < 3) & (n < 3));
  klee_assert(ackermann(m, n) <= 7);
  return 0;
}
