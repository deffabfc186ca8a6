/* Hexadecimal digits to bytes. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

int main(void) {
  char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  klee_assume(b[CAP - 1] == 0);
  unsigned char out[CAP / 2 + 1];
  int n = 0;
  for (int i = 0; b[i] && b[i + 1]; i += 2) {
    int high = digit(b[i]), low = digit(b[i + 1]);
    if (high < 0 || low < 0)
      return 1;
    out[n++] = high << 4 | low;
  }
  return n == 3 && out[1] == 0x5a ? 2 : 0;
}
