// expect: paths=4 exit=0
// As many arguments as the first says.
#include <klee/klee.h>
#include <stdarg.h>

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 3);
  klee_assert(sum(n, 1, 10, 100) <= 111);
  return 0;
}
