// expect: exit=0 incomplete=forks
// options: --max-forks 4
// No more than four forks in the whole run.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char bytes[8];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 8; i++)
    if (bytes[i] > 100)
      putchar('x');
  return 0;
}
