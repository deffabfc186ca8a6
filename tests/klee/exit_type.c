// run: --exit-on-error-type ReadOnly
// error: read_only@7 memory error: object read only
// incomplete: exit-on-error
// KLEE's spelling of a kind; without it the endless loop would go on.
#include <klee/klee.h>
static const int fixed = 1; int main(void) {
  if (klee_int("x")) *(volatile int *)&fixed = 2;
  for (;;) ;
}
