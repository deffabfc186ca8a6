// expect: paths=4..10 exit=0
// args: --sym-stdin 8 --sym-arg 1
// A count that depends on the input: what is read does, too, and nothing is concretised.
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char b[16] = "----------------";
	unsigned n = (unsigned char)argv[1][0];
	if (n > 16) return 1;
	long got = read(0, b, n);
	if (got != (n < 8 ? n : 8)) abort();
	if (n < 16 && b[n] != '-') abort();
	if (b[3] == 'x') return 2;
	return 0;
}
