/* A text against a word, letters of both cases alike. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  const char *word = "content-length:xy";
  int i = 0;
  while (i < 14 && b[i] && lower(b[i]) == word[i])
    i++;
  return i == 14 ? 2 : lower(b[i]) - word[i] > 0;
}
