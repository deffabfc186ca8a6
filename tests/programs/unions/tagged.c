// expect: paths=3 errors=assert@15 exit=1
// A tagged union, and a tag that no arm has.
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

struct value { unsigned char tag; union { int number; char letter; } as; };

int main(void) {
  struct value value;
  klee_make_symbolic(&value, sizeof value, "value");
  switch (value.tag) {
  case 0: printf("%d\n", value.as.number); break;
  case 1: printf("%c\n", 'a' + (value.as.letter & 15)); break;
  default: assert(0 && "no such tag");
  }
  return 0;
}
