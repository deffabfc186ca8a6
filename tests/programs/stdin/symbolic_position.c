// expect: paths=3..8 exit=0
// args: --sym-stdin 4 --sym-arg 1
// A position that depends on the input.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char c = 0;
	long at = argv[1][0];
	if (lseek(0, at, SEEK_SET) != at) {
		if (at >= 0) abort();
		return 1;
	}
	long got = read(0, &c, 1);
	if (got != (at < 4)) abort();
	if (c == 'q') return 3;
	return 0;
}
