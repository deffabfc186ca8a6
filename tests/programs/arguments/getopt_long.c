// expect: paths=9..200 exit=0
// args: --sym-args 0 1 4 --sym-arg 2
// getopt_long on symbolic words: options, their arguments, unknown ones, plain words.
#include <getopt.h>
#include <stdio.h>
static const struct option options[] = { { "all", 0, 0, 'a' }, { "n", 1, 0, 'n' }, { 0 } };
int main(int argc, char **argv)
{
	int all = 0, c;
	const char *n = "";
	while ((c = getopt_long(argc, argv, "an:", options, 0)) != -1) {
		if (c == 'a') all++;
		else if (c == 'n') n = optarg;
		else return 2;
	}
	printf("%d %s %d\n", all, n, argc - optind);
	return 0;
}
