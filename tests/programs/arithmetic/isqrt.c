// expect: paths=16 exit=0
// Integer square root of a byte by counting: one path for each result.
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned root = 0;
  while ((root + 1) * (root + 1) <= x)
    root++;
  klee_assert(root * root <= x);
  return 0;
}
