// expect: paths=2 exit=0
// Text becomes wide characters without a look behind its end.
#include <klee/klee.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  setlocale(LC_ALL, "");
  char *text = malloc(11);
  memcpy(text, "Filesystem", 11);
  if (klee_range(0, 2, "x"))
    text[3] = '_';
  wchar_t wide[11];
  return mbstowcs(wide, text, 11) == 10 && wide[9] == 'm' && mbstowcs(0, text, 0) == 10 ? 0 : 1;
}
