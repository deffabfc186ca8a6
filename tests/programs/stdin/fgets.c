// expect: paths=4..100 exit=0
// args: --sym-stdin 4
// Lines of standard input: every place where a line can end.
#include <stdio.h>
#include <string.h>
int main(void)
{
	char line[16];
	int lines = 0, last = 0;
	while (fgets(line, sizeof line, stdin)) lines++, last = (int)strlen(line);
	return lines * 10 + last;
}
