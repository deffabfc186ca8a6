/* A path without `.`, `..` and double slashes, in place. */
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
  char out[CAP + 1];
  int n = 0, i = 0;
  while (b[i]) {
    while (b[i] == '/')
      i++;
    int start = i;
    while (b[i] && b[i] != '/')
      i++;
    int length = i - start;
    if (length == 0 || (length == 1 && b[start] == '.'))
      continue;
    if (length == 2 && b[start] == '.' && b[start + 1] == '.') {
      while (n > 0 && out[--n] != '/')
        ;
      continue;
    }
    out[n++] = '/';
    for (int j = start; j < i; j++)
      out[n++] = b[j];
  }
  out[n] = 0;
  return n == 2 && out[1] == 'x' ? 2 : 0;
}
