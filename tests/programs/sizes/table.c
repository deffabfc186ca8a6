// expect: paths=2 exit=0
// A table of symbolic size that is read and written at symbolic indices, with bounds that are checked.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, a, b;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume((n >= 2) & (n <= 12));
  klee_assume((a < n) & (b < n));
  unsigned char *table = calloc(n, 1);
  table[a] = 1;
  table[b] += 2;
  int sum = table[a];
  free(table);
  if (a == b)
    return sum == 3 ? 0 : 1;
  return sum == 1 ? 0 : 1;
}
