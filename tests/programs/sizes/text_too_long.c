// expect: paths=3 errors=ptr@12+ exit=1
// strcpy into a block that is too small for some sizes.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 4) & (n <= 8));
  char *volatile text = malloc(n);
  strcpy(text, "hello");
  int first = text[0];
  free(text);
  return first == 'h' ? 0 : 1;
}
