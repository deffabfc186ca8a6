// expect: paths=2 exit=0
// A nondet bool is 0 or 1.
#include <klee/klee.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  _Bool truth = __VERIFIER_nondet_bool();
  if (truth)
    klee_assert((int)truth == 1);
  else
    klee_assert((int)truth == 0);
  return 0;
}
