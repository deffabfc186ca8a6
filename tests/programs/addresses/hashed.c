// expect: paths=4 errors=none exit=0
// Addresses of everything that a program can name are hashed, printed and decide branches: natively they are the same.
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int table[10];
int set = 5;
const char *const names[] = {"a", "b"};
static char large[5000];

struct pair {
  long a[10];
};

static int next(int x) { return x + 1; }
int (*pointer)(int) = next;

static unsigned mix(unsigned h, const void *p) { return (h ^ (unsigned)((unsigned long)p >> 3)) * 2654435761u; }

static long sum(struct pair pair) {
  long total = 0;
  for (int i = 0; i < 10; i++) total += pair.a[i];
  return total;
}

static unsigned depth(unsigned h, int n) {
  char local[24];
  local[0] = (char)n;
  h = mix(h, local);
  return n ? depth(h, n - 1) : h;
}

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  int count = 3, array[count + 1];
  array[0] = x;
  struct pair pair = {{1, 2, 3}};
  unsigned h = (unsigned)sum(pair);
  h = mix(h, table), h = mix(h, &set), h = mix(h, names[1]), h = mix(h, large), h = mix(h, stdout);
  h = mix(h, next), h = mix(h, (void *)main), h = mix(h, (void *)malloc), h = mix(h, pointer);
  h = mix(h, &x), h = mix(h, array), h = mix(h, &pair), h = depth(h, 5);
  char *p = malloc(10), *q = malloc(3000), *r = realloc(p, 20), *s = calloc(7, 9), *t = aligned_alloc(256, 512);
  free(s);
  h = mix(h, q), h = mix(h, r), h = mix(h, t), h = mix(h, malloc(1)), h = mix(h, malloc(0));
  printf("%u %p %p %p %p\n", h, (void *)q, (void *)array, (void *)next, (void *)large);
  for (int i = 0; i < 16; i++)
    if (h >> i & 1) table[i % 10] += set;
  if (x > 100) puts("large");
  if ((x ^ (unsigned char)h) & 1) puts("odd");
  return pointer(3) == 4 ? 0 : 1;
}
