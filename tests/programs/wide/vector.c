// expect: paths=2 exit=0
// Vector types are taken apart.
#include <klee/klee.h>

typedef int four __attribute__((vector_size(16)));

int main(void) {
  int x = klee_int("x");
  four a = {1, 2, 3, 4}, b = {x, x, x, x};
  four sum = a + b;
  if (sum[2] == 10)
    klee_assert(x == 7);
  klee_assert(sum[3] - sum[0] == 3);
  return 0;
}
