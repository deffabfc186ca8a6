// expect: errors=ptr@20 exit=1
// options: --merge pattern --check-merges
// States with an object of symbolic size and states without it are one: where there is none, the size says nothing.
#include <klee/klee.h>
#include <stdlib.h>

static int *made;

int main(void) {
  char b[4];
  size_t n;
  klee_make_symbolic(b, sizeof b, "b");
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(((b[0] == 'a') & (n >= 8) & (n <= 16)) | ((b[0] != 'a') & (n < 4)));
  for (int i = 0; i < 4 && b[i] == 'a'; i++) {
    if (!made)
      made = malloc(n);
    made[0] = i;
  }
  int last = made[0];
  free(made);
  return last;
}
