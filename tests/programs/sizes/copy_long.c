// expect: paths=1 exit=0 incomplete=size
// More than 4 KiB that may be copied or not: longer ones are a cause.
#include <klee/klee.h>
#include <string.h>

char from[20000], to[20000];

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1000) & (n <= 20000));
  from[999] = 'x';
  memcpy(to, from, n);
  klee_assert(to[999] == 'x');
  return 0;
}
