// expect: paths=4 exit=0
// args: --sym-arg 3 --sym-lengths
// A program that stays before the zero is right.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char *copy = strdup(argv[1]);
  int same = strcmp(copy, argv[1]) == 0;
  free(copy);
  return same ? 0 : 1;
}
