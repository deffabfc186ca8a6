// expect: paths=1 exit=0
// Counting by symbolic indices: the counts add up, without a fork.
#include <klee/klee.h>

int main(void) {
  unsigned char input[3], count[4] = {0};
  klee_make_symbolic(input, sizeof input, "input");
  for (int i = 0; i < 3; i++)
    count[input[i] & 3]++;
  klee_assert(count[0] + count[1] + count[2] + count[3] == 3);
  return 0;
}
