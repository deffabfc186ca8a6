// expect: exit=0 incomplete=depth
// options: --max-depth 3
// A path may fork three times; what lies deeper is counted incomplete.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char bytes[6];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 6; i++)
    if (bytes[i] > 100)
      putchar('x');
  return 0;
}
