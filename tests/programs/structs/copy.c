// expect: paths=1 exit=0
// Assignment copies every field.
#include <klee/klee.h>

struct point { short x, y; char tag; };

int main(void) {
  struct point a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  b = a;
  klee_assert((b.x == a.x) & (b.y == a.y) & (b.tag == a.tag));
  return 0;
}
