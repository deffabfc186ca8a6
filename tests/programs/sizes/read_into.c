// expect: paths=2..4 errors=ptr@12 exit=1
// args: --sym-stdin 6
// read into a block of symbolic size: as many as it has, and one more.
#include <klee/klee.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 10));
  long got = read(0, malloc(n), n + 1);
  return got > 10;
}
