/* Blanks, digits, blanks. */
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
  int i = 0;
  while (b[i] == ' ')
    i++;
  int start = i;
  while (b[i] >= '0' && b[i] <= '9')
    i++;
  int end = i;
  while (b[i] == ' ')
    i++;
  if (b[i])
    return 1;
  return end - start == 5 && b[start] == '4' ? 2 : 0;
}
