// paths: 1
// says: plain:5
// says: symbolic:
// says: ranged:
// says: (in [3, 8])
// Expressions and ranges as text.
#include <klee/klee.h>
int main(void) {
  int x = klee_range(3, 9, "x");
  klee_print_expr("plain", 5);
  klee_print_expr("symbolic", x + 1);
  klee_print_range("ranged", x);
  return 0;
}
