// An object of 4 MiB is alive, and each of 4,096 paths writes one byte of it, each in a page of its own. The last test keeps them alive after the write: two
// states share each byte at the end. -D TESTS=0 is the same program with one path, -D WRITE=0 without the write.
#include <klee/klee.h>

#ifndef TESTS
#define TESTS 12
#endif
#ifndef WRITE
#define WRITE 1
#endif
#define SIZE (4 << 20)

static unsigned char object[SIZE];

int main(void) {
  unsigned char bytes[16];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < SIZE; i += 512)
    object[i] = 1;
  unsigned mark = 0;
  for (int i = 0; i < TESTS; i++)
    if (bytes[i] > 100)
      mark |= 1u << i;
  if (WRITE)
    object[mark * 1024 + 7] = 2;
  if (TESTS && bytes[15] > 100)
    return object[mark * 1024 + 7];
  return object[mark * 1024];
}
