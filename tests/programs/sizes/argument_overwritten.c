// expect: paths=3 errors=ptr@12+,ptr@14+,ptr@16+ exit=1
// args: --sym-arg 2 --sym-lengths
// Who overwrites the zero at an argument's end reads beyond it, for each length.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char *text = argv[1];
  unsigned n = strlen(text);
  text[n] = 'x';
  if (n == 0)
    puts(text);
  else if (n == 1)
    puts(text);
  else
    puts(text);
  return 0;
}
