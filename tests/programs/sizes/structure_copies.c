// expect: paths=3 exit=0
// mempcpy, bzero, bcopy and stpncpy as the C library has them, with symbolic lengths.
#define _GNU_SOURCE
#include <klee/klee.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char a[8] = "1234567", b[8] = "abcdefg";
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n <= 7) & (at < 7));
  char *end = mempcpy(a, b, n);
  klee_assert(end == a + n && a[at] == (at < n ? 'a' + (char)at : '1' + (char)at));
  bzero(a, n);
  bcopy(b + 1, b, n);
  klee_assert(b[at] == (at < n ? at < 6 ? 'b' + (char)at : 0 : 'a' + (char)at));
  return a[at] == 0 || at >= n ? 0 : 1;
}
