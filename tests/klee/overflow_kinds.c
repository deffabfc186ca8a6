// run: --check overflow
// paths: 8
// error: overflow@11 overflow on addition
// error: overflow@12 overflow on subtraction
// error: overflow@13 overflow on multiplication
// error: overflow@14 overflow on
// Signed overflow, on request.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x"); switch (klee_range(0, 4, "w")) {
  case 0: return x + 1 != 9;
  case 1: return x - 1 != 9;
  case 2: return x * 2 != 9;
  case 3: klee_assume(x == 1 << 31 | (x == 7)); return -x != 9;
  }
  return 0;
}
