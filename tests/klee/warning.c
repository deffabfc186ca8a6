// paths: 1
// says: main: careful
// says: helper: only once
// Warnings name their function.
#include <klee/klee.h>
static void helper(void) { klee_warning_once("only once"); }
int main(void) {
  klee_warning("careful");
  helper(); helper();
  return 0;
}
