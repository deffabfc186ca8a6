// expect: paths=1 exit=0 incomplete=forking
// With forking off a branch takes one side, and the run says that it is incomplete.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  klee_set_forking(0);
  if (x > 5)
    puts("above");
  klee_set_forking(1);
  return 0;
}
