// expect: paths=3 exit=0
// options: --sym-stdin 2
// Symbolic standard input.
#include <unistd.h>

int main(void) {
  char text[2];
  if (read(0, text, 2) != 2)
    return 9;
  if (text[0] == 'o')
    if (text[1] == 'k')
      return 0;
  return 1;
}
