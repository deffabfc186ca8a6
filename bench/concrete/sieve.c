// Primes below four million by the sieve of Eratosthenes, several times over.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 4000000
#define ROUNDS 16

int main(void) {
  unsigned char *composite = malloc(LIMIT);
  unsigned long checksum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    memset(composite, 0, LIMIT);
    for (unsigned i = 2; i * i < LIMIT; i++)
      if (!composite[i])
        for (unsigned j = i * i; j < LIMIT; j += i)
          composite[j] = 1;
    for (unsigned i = 2 + round; i < LIMIT; i++)
      if (!composite[i])
        checksum = checksum * 31 + i;
  }
  printf("%lu\n", checksum);
  free(composite);
  return 0;
}
