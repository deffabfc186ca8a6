// expect: paths=1 exit=0
// What asks for more memory than there is gets none, and the error is set or returned.
#include <errno.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>

/* Optimisers believe that an allocation leaves errno alone. */
#define error (*(volatile int *)&errno)

int main(void) {
  volatile size_t huge = SIZE_MAX / 4, two = 2;
  error = 0;
  void *volatile p = malloc(huge);
  klee_assert(p == NULL && error == ENOMEM);
  error = 0;
  p = calloc(huge, 16);
  klee_assert(p == NULL && error == ENOMEM);
  error = 0;
  p = calloc(huge, two);
  klee_assert(p == NULL && error == ENOMEM);
  error = 0;
  p = aligned_alloc(64, huge);
  klee_assert(p == NULL && error == ENOMEM);
  char *volatile kept = malloc(4);
  kept[3] = 7;
  error = 0;
  p = realloc(kept, huge);
  klee_assert(p == NULL && error == ENOMEM && kept[3] == 7);
  error = 0;
  p = reallocarray(kept, huge, huge);
  klee_assert(p == NULL && error == ENOMEM && kept[3] == 7);
  void *place = (void *)&error;
  klee_assert(posix_memalign(&place, 64, huge) == ENOMEM && place == (void *)&error);
  klee_assert(posix_memalign(&place, 3, 8) == EINVAL && place == (void *)&error);
  void *(*volatile through)(size_t) = malloc;
  p = through(huge);
  klee_assert(p == NULL && error == ENOMEM);
  free(kept);
  return 0;
}
