// expect: paths=9 exit=0
// Loops whose number of rounds depends on the input: 1 to 8 reach one after 0, 1, 7, 2, 5, 8, 16 and 3 steps; 0 stays.
#include <klee/klee.h>

int main(void) {
  unsigned char start;
  klee_make_symbolic(&start, sizeof start, "start");
  if (start == 0)
    return 0;
  klee_assume(start <= 8);
  unsigned x = start, steps = 0;
  while (x != 1) {
    if (x & 1)
      x = 3 * x + 1;
    else
      x /= 2;
    steps++;
  }
  return steps > 16;
}
