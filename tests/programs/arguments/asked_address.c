// expect: paths=3 exit=0
// args: --sym-arg 2 --sym-arg 1
// Whether one argument lies behind the other can be asked for: natively it does, in the engine it does not, and tests replay nevertheless.
#include <string.h>
int main(int argc, char **argv)
{
	char *volatile one = argv[1], *volatile other = argv[2];
	int together = one + strlen(one) + 1 == other;
	return together + (*other != 0);
}
