// expect: paths=2 exit=0 incomplete=uninit
// options: --uninit symbolic
// After a write at a symbolic place one symbol stands for all bytes of a large block that were never written: the run says so.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n, at;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume((n >= 10) & (n <= 60000) & (at < n));
  volatile unsigned char *block = malloc(n);
  block[at] = 1;
  int value = 0;
  if (block[3] == 5) value = 1;
  free((void *)block);
  return value;
}
