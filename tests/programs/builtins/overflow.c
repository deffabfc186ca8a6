// expect: paths=3 exit=0
// The overflow builtins and what they leave in the result.
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a"), sum;
  unsigned product;
  if (__builtin_add_overflow(a, 1, &sum))
    klee_assert(sum < 0);
  else if (__builtin_mul_overflow((unsigned)a, 65536u, &product))
    klee_assert(((unsigned)a >> 16) != 0);
  else
    klee_assert(product == (unsigned)a << 16);
  return 0;
}
