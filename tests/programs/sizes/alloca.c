// expect: paths=2 errors=ptr@14 exit=1
// alloca of a symbolic size, in a function that is called twice.
#include <alloca.h>
#include <klee/klee.h>

static int last(unsigned n) {
  volatile unsigned char *local = alloca(n);
  local[n - 1] = 8;
  return local[n - 1];
}

static int over(unsigned n) {
  volatile unsigned char *local = alloca(n);
  local[n & 0xf0] = 8;
  return local[n & 0xf0];
}

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 100));
  return last(n) + over(n) == 16 ? 0 : 1;
}
