// expect: paths=1 exit=0 incomplete=unsupported
// A process cannot be made either.
#include <spawn.h>
#include <stdio.h>

extern char **environ;

int main(void) {
  pid_t child;
  char *words[] = {"true", 0};
  int failed = posix_spawn(&child, "/bin/true", 0, 0, words, environ);
  if (failed) puts("no process");
  return 0;
}
