// expect: paths=3..30 exit=0
// args: --sym-arg 2
// KLEE's first tutorial, on an argument: atoi sees every kind of text of two bytes.
#include <stdlib.h>
static int get_sign(int x)
{
	if (x == 0) return 0;
	return x < 0 ? 2 : 1;
}
int main(int argc, char **argv)
{
	return get_sign(atoi(argv[1]));
}
