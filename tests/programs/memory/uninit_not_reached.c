// expect: paths=12..40 exit=0
// options: --check uninit
// Bytes that were never written lie behind the end of each string: terms mention them, but no input lets them decide anything.
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8], copy[8], number[16];
  unsigned n = klee_range(0, 5, "n");
  for (unsigned i = 0; i < n; i++) text[i] = 'a';
  text[n] = 0;
  if (strcmp(text, "aaa") == 0) puts("three");
  strcpy(copy, text);
  if (strlen(copy) != n) return 1;
  snprintf(number, sizeof number, "%d", klee_range(0, 200, "x"));
  if (strcmp(number, "42") == 0) puts("42");
  return 0;
}
