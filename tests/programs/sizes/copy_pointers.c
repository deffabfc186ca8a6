// expect: paths=4 exit=0
// Pointers that a copy of symbolic length may move keep the objects that they point to.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int values[4] = {1, 2, 3, 4};
  int *from[4], *to[4];
  for (int i = 0; i < 4; i++) {
    from[i] = malloc(sizeof(int));
    *from[i] = values[i];
    to[i] = 0;
  }
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 4));
  memcpy(to, from, n * sizeof *to);
  int sum = 0;
  for (int i = 0; i < 4; i++)
    if (to[i])
      sum += *to[i];
  klee_assert(sum == (int)(n * (n + 1) / 2));
  return 0;
}
