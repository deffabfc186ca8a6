/* Trailing blanks are cut off. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  int n = 0;
  while (b[n])
    n++;
  while (n > 0 && (b[n - 1] == ' ' || b[n - 1] == '\n'))
    n--;
  return n == 3 && b[2] == 'x' ? 2 : 0;
}
