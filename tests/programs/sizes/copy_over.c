// expect: paths=2 errors=ptr@13 exit=1
// Too long a copy for some lengths, told by the source's end; it goes on for the others.
#include <klee/klee.h>
#include <string.h>

char from[8], to[100];

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 9);
  to[n] = 'x';
  memcpy(to, from, n);
  klee_assert(to[n] == 'x');
  return 0;
}
