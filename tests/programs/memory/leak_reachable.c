// expect: paths=1 exit=0
// options: --check leak
// What a global still points to is no leak.
#include <stdlib.h>

char *keep;

int main(void) {
  keep = malloc(10);
  keep[0] = 1;
  return 0;
}
