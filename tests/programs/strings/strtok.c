// expect: paths=1 exit=0
// Concrete strings through libc: one path.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[] = "one,two;three";
  int count = 0;
  for (char *word = strtok(line, ",;"); word; word = strtok(NULL, ",;"))
    printf("%d %s\n", ++count, word);
  klee_assert(count == 3);
  return 0;
}
