// expect: paths=2 exit=0
// Where a block lies can be asked for: natively blocks of odd sizes are not aligned, so that errors show, and tests replay nevertheless.
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
/* As word-wise string functions begin: by the byte up to an aligned address. Out of the optimiser's sight, which knows what malloc promises. */
__attribute__((noinline)) static int steps(volatile char *p)
{
	int n = 0;
	for (; (uintptr_t)p % 8; p++) n++;
	return n;
}
int main(void)
{
	char x, *volatile odd = malloc(5), *volatile large = malloc(5001);
	klee_make_symbolic(&x, sizeof x, "x");
	int n = steps(odd) + steps(large);
	free(odd);
	free(large);
	return x == 'a' ? n : n + 1;
}
