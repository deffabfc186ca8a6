/* Two nested loops: the inner one looks a character up in a set. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

#ifndef SET
#define SET "abcd"
#endif
static size_t span(const char *s, const char *c) {
  const char *a = s;
  for (; *s; s++) {
    const char *p = c;
    while (*p && *p != *s)
      p++;
    if (!*p)
      break;
  }
  return s - a;
}

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  size_t r = span(b, SET);
  if (b[r] == 'x')
    return 2;
  return r == 7;
}
