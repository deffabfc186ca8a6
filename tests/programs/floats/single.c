// expect: paths=1 exit=0
// float rounds after every operation.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  volatile float a = 16777216.0f, one = 1.0f, tenth = 0.1f;
  unsigned word;
  klee_assert(a + one == a);
  float sum = 0;
  for (int i = 0; i < 10; i++)
    sum += tenth;
  memcpy(&word, &sum, 4);
  klee_assert(word == 0x3f800001);
  return 0;
}
