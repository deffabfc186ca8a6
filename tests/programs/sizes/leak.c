// expect: paths=2 errors=leak@12 exit=1
// options: --check leak
// A block of symbolic size that is lost for some inputs, and one that another one of symbolic size points to.
#include <klee/klee.h>
#include <stdlib.h>

char *volatile *kept;

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  char *volatile lost = malloc(n % 16 + 8);
  kept = (char *volatile *)malloc(n % 64 + 8);
  kept[0] = malloc(n % 5 + 1);
  kept[0][0] = 1;
  if (n & 1)
    free(lost);
  return 0;
}
