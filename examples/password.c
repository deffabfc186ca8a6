// A password check that hides the password behind arithmetic.
//
//     strata run examples/password.c
//
// Each letter is mixed with its neighbour and compared with a table, the whole with a check sum. Guessing takes 26^8 tries; one run finds
// the one input for which the door opens, and a test for each letter at which a guess goes wrong.
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdio.h>

#define LENGTH 8

static const uint8_t secret[LENGTH] = {0xb6, 0x10, 0x24, 0xd0, 0x48, 0xa1, 0xf9, 0xef};

static uint8_t mix(uint8_t letter, uint8_t before, int at) {
  uint8_t x = letter * 7 + at;
  x ^= before >> 1;
  return (x << 3) | (x >> 5);
}

int main(void) {
  char password[LENGTH];
  klee_make_symbolic(password, sizeof password, "password");
  uint8_t before = 0x5a;
  uint32_t sum = 1;
  for (int i = 0; i < LENGTH; i++) {
    uint8_t letter = password[i];
    if (mix(letter, before, i) != secret[i]) {
      printf("wrong at letter %d\n", i + 1);
      return 1;
    }
    before = letter;
    sum = sum * 31 + letter;
  }
  if (sum % 65521 != 24835)
    return 1;
  assert(0 && "the door is open");
}
