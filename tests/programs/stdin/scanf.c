// expect: paths=4..200 exit=0
// args: --sym-stdin 3
#include <stdio.h>
int main(void)
{
	int n = 0;
	char c = 0;
	if (scanf("%d%c", &n, &c) < 1) return 1;
	return n > 40 ? 2 : n < 0 ? 3 : 0;
}
