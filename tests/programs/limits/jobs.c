// expect: paths=16 exit=0
// options: --jobs 2 --search random-path,covnew
// Nor does the number of workers.
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[4];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int above = 0;
  for (int i = 0; i < 4; i++)
    if (bytes[i] > 100)
      above++;
  return above == 9;
}
