// expect: paths=3 errors=ptr@18 exit=1
// Between two objects of symbolic size: each has its own end.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned n, m;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume((n >= 1) & (n <= 40));
  klee_assume((m >= 1) & (m <= 40));
  char *a = malloc(n), *b = malloc(m);
  memset(a, 'a', n);
  memset(b, 'b', m);
  memcpy(b, a, n < m ? n : m);
  klee_assert(b[m - 1] == (n < m ? 'b' : 'a'));
  memcpy(b, a, n);
  int first = b[0];
  free(a);
  free(b);
  return first != 'a';
}
