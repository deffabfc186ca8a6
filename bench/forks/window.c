// Reads at a symbolic index that is known to lie within 16 bytes of an object of SIZE bytes. What REPEAT of them cost must not depend on SIZE.
#include <klee/klee.h>

#ifndef SIZE
#define SIZE 16
#endif
// -D ASK=0 leaves out the question to the solver at the end.
#ifndef ASK
#define ASK 1
#endif
#ifndef REPEAT
#define REPEAT 200
#endif

static unsigned char object[SIZE];

int main(void) {
  unsigned base = SIZE / 32 * 16;
  for (unsigned i = 0; i < 16; i++)
    object[base + i] = i * 37 + 11;
  unsigned char index;
  klee_make_symbolic(&index, sizeof index, "index");
  klee_assume(index < 16);
  unsigned sum = 0;
  for (unsigned i = 0; i < REPEAT; i++)
    sum = sum * 3 + object[base + ((index + i) & 15)];
  if (ASK && sum == 12345)
    return 1;
  return 0;
}
