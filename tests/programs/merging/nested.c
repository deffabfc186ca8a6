// expect: paths=3..6 errors=abort@24 exit=1
// options: --merge pattern --check-merges
// An inner loop over a set of characters leaves one state a round: 4^7 paths without merging.
#include <klee/klee.h>
#include <stdlib.h>

static int span(const char *s, const char *set) {
  const char *start = s;
  for (; *s; s++) {
    const char *p = set;
    while (*p && *p != *s)
      p++;
    if (!*p)
      break;
  }
  return s - start;
}

int main(void) {
  char b[8];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[7] == 0);
  if (span(b, "abcd") == 5 && b[5] == 'x')
    abort();
  return 0;
}
