// expect: paths=1 exit=0
// Integers, doubles and pointers from one list, more than the registers hold.
#include <klee/klee.h>
#include <stdarg.h>

static long collect(const char *kinds, ...) {
  va_list list, copy;
  va_start(list, kinds);
  va_copy(copy, list);
  long total = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += va_arg(list, long); break;
    case 'd': total += (long)va_arg(list, double); break;
    case 's': total += *va_arg(list, const char *); break;
    }
  va_end(list);
  total += va_arg(copy, int);
  va_end(copy);
  return total;
}

int main(void) {
  klee_assert(collect("ildsiildddd", 1, 2L, 3.5, "A", 4, 5, 6L, 7.0, 8.0, 9.0, 10.0) == 1 + 2 + 3 + 65 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 1);
  return 0;
}
