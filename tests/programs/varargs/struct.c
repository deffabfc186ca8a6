// expect: paths=1 exit=0
// A structure among the variable arguments.
#include <klee/klee.h>
#include <stdarg.h>

struct pair { long a, b; };
struct triple { long a, b, c; };

static long total(int n, ...) {
  va_list list;
  va_start(list, n);
  struct pair pair = va_arg(list, struct pair);
  struct triple triple = va_arg(list, struct triple);
  int last = va_arg(list, int);
  va_end(list);
  return pair.a + pair.b + triple.a + triple.b + triple.c + last;
}

int main(void) {
  struct pair pair = {1, 2};
  struct triple triple = {3, 4, 5};
  klee_assert(total(0, pair, triple, 6) == 21);
  return 0;
}
