/* The paper's example: the longest start made of characters of a set. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

#ifndef SET
#define SET "a"
#endif
static int memspn(char *s, size_t n, char *chars) {
  char *p = chars;
  int count = 0;
  while (*p && count < n) {
    if (*p == s[count]) {
      count++;
      p = chars;
    } else
      p++;
  }
  return count;
}

int main(void) {
  char b[CAP];
  size_t n;
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= CAP);
  return memspn(b, n, SET) == 7;
}
