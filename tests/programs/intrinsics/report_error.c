// expect: paths=2 errors=three@8 exit=1
// The suffix is the kind.
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 3)
    klee_report_error(__FILE__, __LINE__, "three is not allowed", "three.err");
  return 0;
}
