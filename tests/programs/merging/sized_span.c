// expect: paths=2..4 errors=abort@27 exit=1
// options: --merge pattern --check-merges
// A span over an object of symbolic size: one state stands for all sizes and all counts.
#include <klee/klee.h>
#include <stdlib.h>

static size_t span(const char *s, size_t n, const char *set) {
  const char *p = set;
  size_t count = 0;
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
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 8));
  char *b = malloc(n);
  klee_make_symbolic(b, n, "b");
  if (span(b, n, "ab") == 5)
    abort();
  free(b);
  return 0;
}
