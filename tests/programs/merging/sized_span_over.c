// expect: paths=2..5 errors=ptr@20 exit=1
// options: --merge pattern --check-merges
// The byte behind a span is read: where the span is the whole object, of whatever size, it is outside.
#include <klee/klee.h>
#include <stdlib.h>

static size_t span(const char *s, size_t n) {
  size_t count = 0;
  while (count < n && s[count] == 'a')
    count++;
  return count;
}

int main(void) {
  size_t n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 8));
  char *b = malloc(n);
  klee_make_symbolic(b, n, "b");
  int found = b[span(b, n)] == 'x';
  free(b);
  return found;
}
