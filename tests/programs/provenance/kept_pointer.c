// expect: paths=2 errors=ptr@17 exit=1
// A pointer that was kept while its index was open still belongs to its array when the index has one value left, even where another array lies there.
#include <klee/klee.h>
#include <stdint.h>

char here[16], there[16];
char *volatile kept;

int main(void) {
  unsigned char far;
  klee_make_symbolic(&far, sizeof far, "far");
  volatile long distance = (long)((uintptr_t)there - (uintptr_t)here);
  there[0] = 0;
  kept = here + (far & 1) * distance;
  if ((far & 1) == 0)
    return 0;
  return *kept;
}
