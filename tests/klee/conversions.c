// run: --cflag -fsanitize=implicit-conversion
// files: implicit_truncation 1
// files: implicit_conversion 1
// KLEE's kinds for implicit conversions.
#include <klee/klee.h>
int main(void) {
  unsigned x = klee_int("x");
  if (x == 300) { unsigned char c = x; return c; }
  if (x == 0x80000000) { int c = x; return c != 3; }
  return 0;
}
