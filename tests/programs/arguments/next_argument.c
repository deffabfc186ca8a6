// expect: paths=22 exit=0
// args: --sym-args 2 2 2
// A pointer into the arguments that depends on one of them (as expr has it): the test of each path keeps what made it so.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char **args;
static bool nextarg(char const *str)
{
  if (*args == NULL) return false;
  int r = strcoll(*args, str);
  args += r == 0;
  return r == 0;
}
static bool nomoreargs(void) { return *args == 0; }
static bool null(char *cp)
{
  if (*cp == 0) return true;
  cp += (*cp == '-');
  do { if (*cp != '0') return false; } while (*++cp);
  return true;
}
int main(int argc, char **argv)
{
  if (1 < argc && !strcmp(argv[1], "--")) { --argc; ++argv; }
  args = argv + 1;
  char *v;
  if (nextarg("+")) { if (nomoreargs()) return 4; v = strdup(*args++); }
  else v = strdup(*args++);
  if (!nomoreargs()) { return 2; }
  puts(v);
  return null(v);
}
