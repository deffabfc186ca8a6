// expect: paths=9..20 errors=abort@17 exit=1
// options: --merge pattern --check-merges
// args: --sym-stdin 8 --sym-arg 4 --sym-lengths
// A merged path over inputs whose lengths no byte of theirs tells: its test has the length that was chosen.
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char bytes[8];
  long got = read(0, bytes, sizeof bytes);
  long digits = 0;
  while (digits < got && bytes[digits] >= '0' && bytes[digits] <= '9')
    digits++;
  int letters = 0;
  while (argv[1][letters] == 'a')
    letters++;
  if (digits == 5 && letters == 3) abort();
  return digits == got;
}
