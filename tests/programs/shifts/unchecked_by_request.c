// expect: paths=1 exit=0
// options: --check -overshift
// The check for shifts left out: one path, with the amount taken as the machine takes it.
#include <klee/klee.h>

int main(void) {
  unsigned amount;
  klee_make_symbolic(&amount, sizeof amount, "amount");
  klee_assume(amount < 32);
  return (1u << amount) > 5;
}
