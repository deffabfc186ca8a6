// expect: paths=4 errors=assert@17 exit=1
// A value that no enumerator has reaches the code after the switch.
#include <assert.h>
#include <klee/klee.h>

enum colour { RED, GREEN, BLUE };

int main(void) {
  unsigned char raw;
  klee_make_symbolic(&raw, sizeof raw, "raw");
  enum colour colour = raw;
  switch (colour) {
  case RED: return 0;
  case GREEN: return 0;
  case BLUE: return 0;
  }
  assert(0);
}
