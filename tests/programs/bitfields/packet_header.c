// expect: paths=3 exit=0
// A header read through bit-fields.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

struct header { unsigned char version : 4, length : 4; };

int main(void) {
  unsigned char byte;
  klee_make_symbolic(&byte, sizeof byte, "byte");
  struct header header;
  memcpy(&header, &byte, 1);
  if (header.version != 4)
    puts("version");
  else if (header.length < 5)
    puts("length");
  else
    puts("fine");
  return 0;
}
