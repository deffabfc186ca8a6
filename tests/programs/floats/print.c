// expect: paths=1 exit=0
// %.17g and its kin print what the machine prints.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[64];
  volatile double tenth = 0.1, third = 1.0 / 3, tiny = 5e-324, huge = 1.7976931348623157e308;
  snprintf(line, sizeof line, "%.17g %.17g", tenth, third);
  klee_assert(strcmp(line, "0.10000000000000001 0.33333333333333331") == 0);
  snprintf(line, sizeof line, "%g %g", tiny, huge);
  klee_assert(strcmp(line, "4.94066e-324 1.79769e+308") == 0);
  snprintf(line, sizeof line, "%8.3f|%-8.1e|%a", 2.0005, 12345.678, 1.0);
  klee_assert(strcmp(line, "   2.001|1.2e+04 |0x1p+0") == 0);
  return 0;
}
