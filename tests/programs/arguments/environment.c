// expect: paths=2 exit=0
// options: --env HOME=/work --env LEVEL=3
// args: --sym-arg 1
// The environment is what was given and nothing else.
#include <stdlib.h>
#include <string.h>
extern char **environ;
int main(int argc, char **argv)
{
	if (strcmp(getenv("HOME"), "/work") || getenv("PATH") || !environ[1] || environ[2]) abort();
	if (argv[1][0] == *getenv("LEVEL")) return 1;
	return 0;
}
