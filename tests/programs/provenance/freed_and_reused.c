// expect: paths=1 errors=ptr@10 exit=1
// A stale pointer stays stale even if the same address is handed out again.
#include <stdlib.h>

int main(void) {
  char *volatile stale = malloc(16);
  free(stale);
  char *volatile fresh = malloc(16);
  fresh[0] = 1;
  stale[0] = 2;
  free(fresh);
  return 0;
}
