// paths: 1
// error: user@6 invalid range
// An empty range.
#include <klee/klee.h>
int main(void) {
  return klee_range(3, 3, "x");
}
