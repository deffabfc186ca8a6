// expect: exit=0 incomplete=unsupported
// Floating point rounds to nearest: a path that asks for another mode is not followed, one that
// asks for this mode is.
#include <fenv.h>
#include <stdlib.h>

int main(void) {
  if (fesetround(FE_TONEAREST) || fegetround() != FE_TONEAREST)
    abort();
  fesetround(FE_UPWARD);
  volatile double one = 1, three = 3;
  double up = one / three;
  fesetround(FE_DOWNWARD);
  if (up == one / three)
    abort();
  return 0;
}
