// expect: paths=2 errors=ptr@17 exit=1
// Aligned blocks of symbolic size.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 40));
  unsigned char *block = aligned_alloc(64, n);
  block[n - 1] = 1;
  void *other = 0;
  if (posix_memalign(&other, 128, n) || (uintptr_t)other % 128 || (uintptr_t)block % 64)
    return 1;
  volatile unsigned char *bytes = other;
  bytes[n & 0x30] = 1;
  free(block);
  free(other);
  return 0;
}
