// paths: 4
// error: my@9 first
// error: user@11 second
// error: assert@13 third
// The suffix is the kind; the place is where the call is.
#include <klee/klee.h>
int main(void) {
  switch (klee_int("x")) {
  case 1: klee_report_error("elsewhere.c", 99, "first", "my.err");
  case 2:
  klee_report_error("elsewhere.c", 99, "second", "user.err");
  case 3:
  klee_report_error("elsewhere.c", 99, "third", "assert.err");
  }
  return 0;
}
