// expect: paths=8..200 exit=0
// args: --sym-stdin 3
// Lines and words of standard input.
#include <ctype.h>
#include <stdio.h>
int main(void)
{
	int lines = 0, words = 0, in = 0, c;
	while ((c = getchar()) != EOF) {
		if (c == '\n') lines++;
		if (isspace(c)) in = 0;
		else if (!in) in = 1, words++;
	}
	printf("%d %d\n", lines, words);
	return 0;
}
