// paths: 2
// The whole range of int but its largest value.
#include <klee/klee.h>
#include <limits.h>
int main(void) {
  int x = klee_range(INT_MIN, INT_MAX, "x");
  klee_assert(x != INT_MAX);
  if (x == INT_MIN) return 1;
  return 0;
}
