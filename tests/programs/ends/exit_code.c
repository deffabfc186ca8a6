// expect: paths=3 exit=0
// Exit statuses are predicted, and replay compares them. They are no errors.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  int x = klee_int("x");
  if (x == 1)
    exit(3);
  if (x == 2)
    _Exit(4);
  return 5;
}
