// paths: 1
// incomplete: forking
// One side only while forking is off.
#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  klee_set_forking(0);
  int y = x > 5 ? 1 : 2;
  if (x == 3) y++;
  klee_set_forking(1);
  return y;
}
