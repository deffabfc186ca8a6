/* The first place of a byte that is an input, too. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

int main(void) {
  unsigned char b[CAP], c;
  size_t n;
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= CAP);
  size_t i = 0;
  while (i < n && b[i] != c)
    i++;
  if (i == n)
    return 1;
  return i == 5 && c == 'q' ? 2 : 0;
}
