// expect: paths=1 exit=0 incomplete=waits
// args: --sym-arg 1
// A path that waits for ever is not complete.
#include <unistd.h>
int main(int argc, char **argv)
{
	int p[2];
	char c;
	if (argv[1][0] != 'w') return 0;
	return pipe(p) || read(p[0], &c, 1);
}
