// expect: paths=1 exit=0
// Quotients of complex numbers as compiler-rt gives them, signs of zeros and infinities included: all bits of all results in one hash.
#include <complex.h>
#include <float.h>
#include <klee/klee.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double values[] = {0.0, -0.0, 1, -3, 1e-310, DBL_MAX, INFINITY, -INFINITY, NAN};
static const float singles[] = {0.0f, -0.0f, 1, -3, 1e-40f, FLT_MAX, INFINITY, -INFINITY, NAN};
static uint64_t hash = 1469598103934665603u;

static void add(double x) {
  uint64_t bits = 7;
  if (x == x)
    memcpy(&bits, &x, sizeof bits);
  hash = (hash ^ bits) * 1099511628211u;
}

int main(void) {
  for (int i = 0; i < 9 * 9 * 9 * 9; i++) {
    int a = i / 729, b = i / 81 % 9, c = i / 9 % 9, d = i % 9;
    double _Complex z = CMPLX(values[a], values[b]) / CMPLX(values[c], values[d]);
    add(creal(z));
    add(cimag(z));
    float _Complex f = CMPLXF(singles[a], singles[b]) / CMPLXF(singles[c], singles[d]);
    add(crealf(f));
    add(cimagf(f));
  }
  klee_assert(hash == 0xa8ffa6a276a06a67u);
  return 0;
}
