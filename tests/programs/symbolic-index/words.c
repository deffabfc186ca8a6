// expect: paths=1 exit=0
// Words written at a symbolic index, read back as bytes.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned words[4] = {0}, x;
  unsigned char i, bytes[16];
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&i, sizeof i, "i");
  klee_assume(i < 4);
  words[i] = x;
  memcpy(bytes, words, 16);
  klee_assert(bytes[i * 4] == (unsigned char)x);
  return 0;
}
