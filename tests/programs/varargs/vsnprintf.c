// expect: paths=1 exit=0
// A variable list handed on to libc.
#include <klee/klee.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char line[64];

static int note(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  return length;
}

int main(void) {
  int length = note("%d-%s-%c-%lx-%5.2f", -5, "abc", 'z', 0xbeefL, 3.14159);
  klee_assert(length == (int)strlen(line));
  klee_assert(strcmp(line, "-5-abc-z-beef- 3.14") == 0);
  return 0;
}
