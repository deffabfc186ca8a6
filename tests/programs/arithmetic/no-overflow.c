// expect: paths=1 exit=0
// options: --check overflow --solver-timeout 1s
// Sums, differences and products that cannot overflow: the types or the path say so. No search is needed; one of a
// product of 128 bits would not end in time.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int a, b, c;
  unsigned u, v;
  long x, y;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&u, sizeof u, "u");
  klee_make_symbolic(&v, sizeof v, "v");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_assume(x >= -3000000000L & x <= 3000000000L & y >= -3000000000L & y <= 3000000000L);
  volatile long results[] = {
      (long)a * b, (long)a * b + c, (long)a * b - c, (long)a - b, (long)a + b + c, x * y, x * y + a, (long)u * a,
  };
  unsigned long product;
  if (__builtin_mul_overflow((unsigned long)u, (unsigned long)v, &product))
    abort();
  if (__builtin_mul_overflow(x, y, &x))
    abort();
  return 0;
}
