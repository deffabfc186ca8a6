// paths: 1
// Integers, structures and floats after the dots, read twice.
#include <klee/klee.h>
#include <stdarg.h>
struct big { long a, b, c; }; struct two { int a; char b; };
static long sum(int n, ...) {
  va_list l, m; long s = 0;
  va_start(l, n); va_copy(m, l);
  for (int i = 0; i < n; i++) s += va_arg(l, int);
  struct big b = va_arg(l, struct big); struct two t = va_arg(l, struct two); double d = va_arg(l, double);
  s += b.a + b.b + b.c + t.a + t.b + (long)d + va_arg(m, int);
  va_end(l); va_end(m);
  return s;
}
int main(void) {
  int x = klee_int("x"); klee_assume(x == 5);
  klee_assert(sum(3, x, 2, 3, (struct big){1, 2, 3}, (struct two){4, 5}, 6.5) == 10 + 6 + 9 + 6 + 5);
  return 0;
}
