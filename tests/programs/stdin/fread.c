// expect: paths=9 exit=0
// args: --sym-stdin 8
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char b[16] = { 0 };
	size_t n = fread(b, 1, sizeof b, stdin);
	if (n != 8 || !feof(stdin) || ferror(stdin)) abort();
	return memcmp(b, "password", 8) == 0;
}
