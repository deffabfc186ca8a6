// expect: paths=3..60 exit=0
// args: --sym-args 0 2 2
// A small echo with -n.
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	int line = 1, i = 1;
	if (argc > 1 && !strcmp(argv[1], "-n")) line = 0, i++;
	for (; i < argc; i++) printf("%s%s", argv[i], i + 1 < argc ? " " : "");
	if (line) putchar('\n');
	return 0;
}
