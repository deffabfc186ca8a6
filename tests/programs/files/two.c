// expect: paths=2..6 exit=0
// args: --sym-files 2 3
// Two files compared, by two streams.
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	FILE *a = fopen("A", "r"), *b = fopen("./B", "r");
	if (!a || !b || fopen("C", "r")) abort();
	for (int i = 0; i < 3; i++) if (getc(a) != getc(b)) return 1;
	return getc(a) == EOF && getc(b) == EOF ? 0 : (abort(), 0);
}
