// expect: paths=12 exit=0
// A comment scanner over three bytes: states and letters both decide.
#include <klee/klee.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  int state = 0;
  for (int i = 0; i < 3; i++) {
    switch (state) {
    case 0:
      if (text[i] == '/')
        state = 1;
      break;
    case 1:
      if (text[i] == '*')
        state = 2;
      else if (text[i] != '/')
        state = 0;
      break;
    case 2:
      if (text[i] == '*')
        state = 3;
      break;
    }
  }
  klee_assert(state <= 3);
  return 0;
}
