// expect: paths=2 exit=0
// Which index holds 0x5a?
#include <klee/klee.h>

static unsigned char table[256];

int main(void) {
  unsigned char x;
  for (int i = 0; i < 256; i++)
    table[i] = i * 7 + 3;
  klee_make_symbolic(&x, sizeof x, "x");
  if (table[x] == 0x5a)
    klee_assert((unsigned char)(x * 7 + 3) == 0x5a);
  return 0;
}
