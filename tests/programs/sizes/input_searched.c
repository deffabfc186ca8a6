// expect: paths=2 exit=0
// A record that says how long it is, read where it is: one path for all lengths.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n >= 2) & (n <= 30));
  unsigned char *record = malloc(n);
  klee_make_symbolic(record, n, "record");
  int last = -1;
  if (record[0] < n)
    last = record[record[0]];
  free(record);
  return last > 255;
}
