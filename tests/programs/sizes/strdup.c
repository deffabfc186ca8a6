// expect: paths=5 exit=0
// strdup and strndup of a text of symbolic length: the copy ends where it ends.
#define _GNU_SOURCE
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[5];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[4] == 0);
  char *copy = strdup(text);
  size_t n = strlen(copy);
  int same = copy[n] == 0 && memcmp(copy, text, n + 1) == 0;
  free(copy);
  return same ? 0 : 1;
}
