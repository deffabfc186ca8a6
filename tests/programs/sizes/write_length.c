// expect: paths=1 exit=0
// write of a symbolic length to standard output: each test has its own.
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 3) & (n <= 10));
  char *text = malloc(n);
  for (unsigned i = 0; i < 3; i++)
    text[i] = 'a' + i;
  text[n - 1] = '\n';
  for (unsigned i = 3; i < 9; i++)
    if (0)
      text[i] = 'x';
  if (write(1, text, 2) != 2 || write(1, "0123456789", n) != (long)n)
    return 1;
  free(text);
  return 0;
}
