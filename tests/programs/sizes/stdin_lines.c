// expect: paths=4..14 exit=0
// args: --sym-stdin 3 --sym-lengths
// getchar until the end: a path for each length.
#include <stdio.h>

int main(void) {
  int count = 0;
  while (getchar() != EOF)
    count++;
  return count;
}
