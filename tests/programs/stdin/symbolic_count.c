// expect: paths=2..6 exit=0
// args: --sym-stdin 8 --sym-arg 1
// A count that depends on the input: what is read does, too, and nothing is concretised.
#include <unistd.h>
int main(int argc, char **argv)
{
	char b[16] = "----------------";
	unsigned n = (unsigned char)argv[1][0];
	if (n > 16) return 1;
	long got = read(0, b, n);
	if (got != (n < 8 ? n : 8)) return 9;
	if (n < 16 && b[n] != '-') return 8;
	return b[3] == 'x' ? 2 : 0;
}
