// expect: paths=1 exit=0
// A difference of pointers into two objects, added to the one as an integer, gives the other: such a sum belongs to the object that it lies in.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int near_, far_[4];

static uintptr_t distance(const void *to, const void *from) { return (uintptr_t)to - (uintptr_t)from; }

int main(void) {
  int x = 1, *volatile kept = malloc(sizeof(int));
  int *p = kept;
  *p = 42;
  uintptr_t base = (uintptr_t)&x;

  // Forth and back, by sums and differences.
  uintptr_t d = distance(p, &x);
  klee_assert(*(int *)(base + d) == 42);
  klee_assert(*(int *)(d + base) == 42);
  klee_assert(*(int *)(base - distance(&x, p)) == 42);
  klee_assert(*(int *)(base + (~base + 1) + (uintptr_t)p) == 42);
  klee_assert(*(int *)(base - (base - (uintptr_t)p)) == 42);
  klee_assert(*(int *)((uintptr_t)&far_[2] + distance(p, &far_[1]) - sizeof(int)) == 42);

  // In units, in pieces, in half the bits, through memory and byte by byte.
  long units = (long)d / (long)sizeof(int);
  klee_assert(*(int *)(base + (uintptr_t)(units * (long)sizeof(int))) == 42);
  klee_assert(*(int *)(base + ((d >> 20) << 20) + (d & 0xfffff)) == 42);
  uint32_t low = (uint32_t)d, high = (uint32_t)(d >> 32);
  klee_assert(*(int *)(base + low + ((uintptr_t)high << 32)) == 42);
  klee_assert(*(int *)(base + (uintptr_t)(int32_t)distance(&near_, far_) - base + (uintptr_t)far_) == 0);
  volatile uintptr_t slot = d;
  klee_assert(*(int *)(base + slot) == 42);
  struct { char before; uint32_t half[2]; } __attribute__((packed)) odd;
  odd.half[0] = low;
  odd.half[1] = high;
  klee_assert(*(int *)(base + odd.half[0] + ((uintptr_t)odd.half[1] << 32)) == 42);
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = ((volatile unsigned char *)&slot)[i];
  uintptr_t again = 0;
  for (int i = 7; i >= 0; i--)
    again = again << 8 | bytes[i];
  klee_assert(*(int *)(base + again) == 42);
  uintptr_t copied;
  memcpy(&copied, bytes, sizeof copied);
  klee_assert(*(int *)(base + copied) == 42);
  struct { uintptr_t d[3]; } one = {{0, d, 0}}, two = one;
  klee_assert(*(int *)(base + two.d[1]) == 42);

  // By exclusive or, in any order, and negated.
  uintptr_t both = (uintptr_t)p ^ base;
  klee_assert(*(int *)(base ^ both) == 42);
  klee_assert(*(int *)((uintptr_t)far_ ^ both ^ (uintptr_t)far_ ^ base) == 42);
  klee_assert(*(int *)(base - ~((uintptr_t)p - base) - 1) == 42);
  free(p);
  return 0;
}
