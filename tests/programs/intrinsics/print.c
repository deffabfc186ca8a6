// expect: paths=1 exit=0
// The talkative ones: messages, and nothing else.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_print_expr("x plus one is", x + 1);
  klee_print_range("x", x);
  klee_warning("a warning");
  klee_warning_once("once");
  klee_warning_once("once");
  klee_stack_trace();
  klee_mark_global(&x);
  return 0;
}
