// expect: paths=3..5 errors=ptr@20 exit=1
// options: --merge pattern --check-merges
// A span of one character: all counts are one state, and the one beyond the buffer is found.
#include <klee/klee.h>
#include <stddef.h>

static size_t span(const char *s, size_t n) {
  size_t count = 0;
  while (count < n && s[count] == 'a')
    count++;
  return count;
}

int main(void) {
  char b[8];
  size_t n;
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= sizeof b);
  return b[span(b, n)] == 'x';
}
