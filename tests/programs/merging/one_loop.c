// expect: paths=2..4 errors=abort@24 exit=1
// options: --merge pattern --check-merges
// The same in one loop: states that become as others were at the start of a round are one.
#include <klee/klee.h>
#include <stdlib.h>

static int span(const char *s, int n, const char *set) {
  const char *p = set;
  int count = 0;
  while (*p && count < n) {
    if (*p == s[count]) {
      count++;
      p = set;
    } else
      p++;
  }
  return count;
}

int main(void) {
  char b[8];
  klee_make_symbolic(b, sizeof b, "b");
  if (span(b, 8, "abc") == 5)
    abort();
  return 0;
}
