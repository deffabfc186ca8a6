// expect: paths=2 exit=0
// Offsets follow the machine's rules.
#include <klee/klee.h>
#include <stddef.h>

struct mixed { char a; long b; short c; int d; };

int main(void) {
  unsigned char bytes[sizeof(struct mixed)];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  struct mixed *mixed = (struct mixed *)bytes;
  klee_assert(offsetof(struct mixed, b) == 8 && offsetof(struct mixed, d) == 20 && sizeof *mixed == 24);
  if (mixed->c == 0x1234)
    klee_assert(bytes[16] == 0x34 && bytes[17] == 0x12);
  return 0;
}
