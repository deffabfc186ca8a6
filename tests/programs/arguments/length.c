// expect: paths=4 exit=0
// args: --sym-arg 3
// The string ends at its first zero: lengths 0 to 3.
#include <string.h>
int main(int argc, char **argv)
{
	return (int)strlen(argv[1]);
}
