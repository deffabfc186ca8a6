// run: --search nurs:covnew --search random-state --search nurs:depth --search nurs:icnt
// paths: 2
// KLEE's names of search orders.
#include <klee/klee.h>
int main(void) {
  if (klee_int("x") > 4) return 1;
  return 0;
}
