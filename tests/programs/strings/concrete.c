// expect: paths=1 exit=0
// A round through <string.h> with known strings.
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char buffer[32];
  strcpy(buffer, "strata");
  strcat(buffer, " of rock");
  klee_assert(strlen(buffer) == 14);
  klee_assert(strcmp(strrchr(buffer, 'r'), "rock") == 0);
  klee_assert(strstr(buffer, "of") == buffer + 7);
  klee_assert(strncmp(buffer, "strap", 4) == 0);
  klee_assert(strspn(buffer, "arst") == 6);
  klee_assert(strcspn(buffer, " ") == 6);
  memmove(buffer + 1, buffer, 6);
  klee_assert(memcmp(buffer, "sstrata", 7) == 0);
  klee_assert(memchr(buffer, 'k', 14) == buffer + 13);
  return 0;
}
