// expect: paths=2 exit=0
// Mixed widths: the result decides.
#include <klee/klee.h>

int main(void) {
  unsigned char a, b, difference;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (__builtin_sub_overflow(a, b, &difference))
    klee_assert(a < b);
  else
    klee_assert(difference == a - b);
  return 0;
}
