/* scheme://host/path: where the parts lie. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  int i = 0;
  while (b[i] && b[i] != ':')
    i++;
  int scheme = i;
  if (b[i] != ':' || b[i + 1] != '/' || b[i + 2] != '/')
    return 1;
  i += 3;
  int host = i;
  while (b[i] && b[i] != '/' && b[i] != ':')
    i++;
  int end = i;
  if (b[i] == ':') {
    i++;
    while (b[i] >= '0' && b[i] <= '9')
      i++;
  }
  return scheme == 4 && end - host == 6 && b[i] == '/' ? 2 : 0;
}
