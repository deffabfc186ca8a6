// expect: paths=1 exit=0
// From a plain size to a symbolic one and back.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n >= 6);
  char *text = malloc(6);
  memcpy(text, "hello", 6);
  text = realloc(text, n);
  text[n - 1] = n == 6 ? 0 : 'x';
  text = realloc(text, 6);
  int same = memcmp(text, "hello", 6) == 0;
  free(text);
  return same ? 0 : 1;
}
