// expect: paths=7 exit=0
// Digits up to three, or until another letter.
#include <klee/klee.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  int value = 0;
  for (int i = 0; i < 3; i++) {
    if (text[i] < '0' || text[i] > '9')
      break;
    value = value * 10 + text[i] - '0';
  }
  klee_assert(value <= 999);
  return 0;
}
