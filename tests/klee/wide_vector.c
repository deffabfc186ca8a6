// paths: 2
// 128 bits, and a vector at a symbolic index.
#include <klee/klee.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
  unsigned __int128 w; v4 a, b = {1, 2, 3, 4};
  klee_make_symbolic(&w, sizeof w, "w"); klee_make_symbolic(&a, sizeof a, "a");
  klee_assume(w == ((unsigned __int128)7 << 100));
  klee_assert(w / 7 == (unsigned __int128)1 << 100);
  v4 c = a + b; c[klee_range(0, 4, "i")] = 9;
  v4 d = c == 9;
  if (d[2]) return 1;
  return 0;
}
