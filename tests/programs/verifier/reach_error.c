// expect: paths=2 errors=assert@6 exit=1
// The program brings its own reach_error, as most of Test-Comp does.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x * 3 == 21)
    reach_error();
  return 0;
}
