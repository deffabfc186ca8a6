// expect: paths=1 exit=0
// args: --sym-arg 6 --sym-lengths
// An argument of symbolic length is printed on one path.
#include <stdio.h>

int main(int argc, char **argv) {
  printf("<%s>\n", argv[1]);
  puts(argv[1]);
  return 0;
}
