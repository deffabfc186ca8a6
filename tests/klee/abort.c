// paths: 3
// error: abort@9 abort failure
// error: abort@10 abort failure
// Both ways to abort.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int x = klee_int("x");
  if (x == 1) abort();
  if (x == 2) klee_abort();
  return 0;
}
