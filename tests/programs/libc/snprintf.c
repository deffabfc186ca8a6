// expect: paths=1 exit=0
// snprintf: widths, bases, truncation.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[16];
  int length = snprintf(line, sizeof line, "%05d|%-4s|%x", 42, "ab", 255);
  klee_assert(length == 13);
  klee_assert(strcmp(line, "00042|ab  |ff") == 0);
  length = snprintf(line, sizeof line, "%s", "longer than sixteen letters");
  klee_assert(length == 27);
  klee_assert(strlen(line) == 15);
  return 0;
}
