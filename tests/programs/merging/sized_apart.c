// expect: paths=3 errors=abort@22 exit=1
// options: --merge pattern --check-merges
// Two states whose inputs have the same name and the same capacity, but not the same length: they stay apart.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char c;
  size_t n, m;
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume((n >= 1) & (n <= 8) & (m >= 1) & (m <= 8));
  char *p = malloc(n), *q = malloc(m);
  klee_open_merge();
  if (c)
    klee_make_symbolic(p, n, "b");
  else
    klee_make_symbolic(q, m, "b");
  klee_close_merge();
  if ((c == 0) & (n == 2) & (m == 5))
    abort();
  return 0;
}
