// expect: paths=1 errors=ptr@11 exit=1
// Another structure than were passed: the list ends.
#include <stdarg.h>

struct wide { long a[2]; } __attribute__((aligned(16)));

static long second(int n, ...) {
  va_list list;
  va_start(list, n);
  (void)va_arg(list, struct wide);
  struct wide w = va_arg(list, struct wide);
  va_end(list);
  return w.a[0];
}

int main(void) { return second(1, (struct wide){{1, 2}}) == 5; }
