// paths: 2
// error: ptr@10 memory error: out of bound pointer
// Memory at an address of the program's choice.
#include <klee/klee.h>
#define AT ((volatile int *)0x5000)
int main(void) {
  klee_define_fixed_object((void *)AT, 8);
  AT[0] = 7; AT[1] = 8;
  if (klee_int("x"))
    return AT[2];
  return AT[0] + AT[1] - 15;
}
