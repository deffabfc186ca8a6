// expect: errors=ptr@11 exit=1
// args: --sym-args 0 2 2 --sym-lengths
// An option's letter is looked at, and the one behind it, whether there is one or not.
#include <stdio.h>

int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++) {
    volatile char *word = argv[i];
    if (word[0] == '-') {
      if (word[2] == 0)
        options++;
    }
  }
  return options > 2;
}
