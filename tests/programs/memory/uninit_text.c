// expect: paths=4 errors=none exit=0
// options: --check uninit
// args: --sym-arg 3
// What lies behind the end of a text is not printed, so it may be memory that was never written.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[16];
  strcpy(name, argv[1]);
  puts(name);
  fputs(name, stdout);
  printf("%s\n", name);
  return 0;
}
