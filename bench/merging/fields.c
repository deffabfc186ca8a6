/* Fields between commas: how many, and the length of the longest. */
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
  int fields = 1, length = 0, longest = 0;
  for (int i = 0; b[i]; i++) {
    if (b[i] == ',') {
      fields++;
      length = 0;
    } else if (++length > longest)
      longest = length;
  }
  return fields == 4 && longest == 2 ? 2 : 0;
}
