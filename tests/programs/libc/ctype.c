// expect: paths=1 exit=0
// <ctype.h> on every known letter.
#include <ctype.h>
#include <klee/klee.h>

int main(void) {
  int digits = 0, letters = 0, blanks = 0, printable = 0;
  for (int c = 0; c < 128; c++) {
    digits += isdigit(c) != 0;
    letters += isalpha(c) != 0;
    blanks += isspace(c) != 0;
    printable += isprint(c) != 0;
  }
  klee_assert(digits == 10);
  klee_assert(letters == 52);
  klee_assert(blanks == 6);
  klee_assert(printable == 95);
  klee_assert(toupper('q') == 'Q');
  return 0;
}
