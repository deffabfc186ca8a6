// expect: paths=1 exit=0
// calloc notices that the product of its arguments wraps.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile size_t many = SIZE_MAX / 2;
  void *volatile block = calloc(many, 4);
  klee_assert(block == NULL);
  return 0;
}
