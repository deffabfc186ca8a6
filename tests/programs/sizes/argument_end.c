// expect: paths=4 errors=ptr@9 exit=1
// args: --sym-arg 3 --sym-lengths
// An argument ends at its zero: the byte behind it is outside, for every length.
#include <string.h>

int main(int argc, char **argv) {
  volatile char *text = argv[1];
  unsigned n = strlen((char *)text);
  if (n != 1 && text[n + 1] == 'x')
    return 1;
  return 0;
}
