// expect: paths=3 exit=0
// args: a --sym-args 0 2 3 z
// One path for each number of arguments, between plain words that keep their places.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	if (strcmp(argv[1], "a") || strcmp(argv[argc - 1], "z") || argv[argc]) abort();
	return argc;
}
