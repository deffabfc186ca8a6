// expect: paths=4 exit=0
// C's functions for texts run inside an object of symbolic size.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 6) & (n <= 9));
  char *text = malloc(n);
  strcpy(text, "hello");
  char *other = malloc(n);
  memset(other, 'x', n);
  other[n - 1] = 0;
  int good = strlen(text) == 5 && strlen(other) == n - 1;
  free(text);
  free(other);
  return good ? 0 : 1;
}
