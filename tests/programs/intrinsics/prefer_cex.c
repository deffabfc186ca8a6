// expect: paths=2 exit=0
// A preference shapes the tests and forbids nothing.
#include <klee/klee.h>

int main(void) {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++)
    klee_prefer_cex(text, (text[i] >= 32) & (text[i] < 127));
  if (text[0] < 32)
    return 0;
  return 0;
}
