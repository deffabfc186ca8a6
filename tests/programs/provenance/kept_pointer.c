// expect: paths=2 errors=ptr@14 exit=1
// A pointer that was kept while its index was open still belongs to its array when the index has one value left, even where another array lies there.
#include <klee/klee.h>

char here[16], there[16];
char *volatile kept;

int main(void) {
  long index;
  klee_make_symbolic(&index, sizeof index, "index");
  kept = here + index;
  if (index != (long)there - (long)here)
    return 0;
  return *kept;
}
