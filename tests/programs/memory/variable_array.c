// expect: paths=3 exit=0
// Arrays of variable length are released at the end of their scope.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 1) & (n <= 3));
  int total = 0;
  for (int i = 1; i <= n; i++) {
    char row[i];
    memset(row, 1, i);
    total += row[i - 1];
  }
  klee_assert(total == n);
  return 0;
}
