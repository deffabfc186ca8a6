// expect: paths=1 exit=0
// rand without a seed is the same everywhere and every time.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  srand(5);
  int first = rand();
  srand(5);
  klee_assert(rand() == first);
  return 0;
}
