/* Records: a length, then so many bytes. */
#include <klee/klee.h>
#include <stddef.h>
#include <string.h>
#ifndef CAP
#define CAP 20
#endif

int main(void) {
  unsigned char b[CAP];
  klee_make_symbolic(b, sizeof b, "b");
  unsigned i = 0, records = 0;
  while (i < CAP && b[i]) {
    unsigned length = b[i];
    if (length > CAP - 1 - i)
      return 1;
    i += 1 + length;
    records++;
  }
  return records == 4 ? 2 : 0;
}
