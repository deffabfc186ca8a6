// expect: paths=4 exit=0
// A small interpreter with computed gotos: it halts after 0, 1 or 2 additions, or at the end.
#include <klee/klee.h>

int main(void) {
  static const void *const labels[] = {&&halt, &&add};
  unsigned char code[3];
  klee_make_symbolic(code, sizeof code, "code");
  for (int i = 0; i < 3; i++)
    klee_assume(code[i] < 2);
  int at = 0, sum = 0;
  goto *labels[code[at]];
add:
  sum++;
  if (++at == 3)
    goto halt;
  goto *labels[code[at]];
halt:
  klee_assert(sum <= 3);
  return 0;
}
