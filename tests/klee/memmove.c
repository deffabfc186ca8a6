// paths: 1
// Overlapping copies, both ways.
#include <klee/klee.h>
#include <string.h>
int main(void) {
  char b[6]; klee_make_symbolic(b, 6, "b");
  char first = b[0], last = b[4];
  memmove(b + 1, b, 5);
  klee_assert(b[1] == first); klee_assert(b[5] == last);
  memmove(b, b + 1, 5);
  klee_assert(b[0] == first); klee_assert(b[4] == last);
  return 0;
}
