// expect: paths=2 exit=0
// args: --sym-stdin 6
// Standard input is a file: it can be read twice.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	char a[4], b[2];
	struct stat s;
	if (fstat(0, &s) || !S_ISREG(s.st_mode) || s.st_size != 6 || isatty(0)) abort();
	if (read(0, a, 4) != 4 || lseek(0, -2, SEEK_CUR) != 2 || read(0, b, 2) != 2) abort();
	if (a[2] != b[0] || a[3] != b[1]) abort();
	if (read(0, a, 4) != 2 || read(0, a, 4) != 0 || lseek(0, 0, SEEK_END) != 6) abort();
	if (lseek(0, -1, SEEK_SET) != -1 || write(0, a, 1) != -1) abort();
	if (a[0] == 'x') return 1;
	return 0;
}
