// expect: paths=2..6 exit=0
// options: --short-reads
// args: --sym-stdin 4
// A read may give less than there is: a program that does not try again sees less.
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	char b[4];
	long n = read(0, b, 4);
	if (n == 4) return 0;
	long m = read(0, b + n, 4 - n);
	if (n != 1 || (m != 3 && m != 1)) abort();
	return (int)m;
}
