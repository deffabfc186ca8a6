// expect: paths=2 exit=0
// args: --sym-files 1 5
// A private mapping of a file.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(void)
{
	int fd = open("A", O_RDONLY);
	struct stat s;
	if (fstat(fd, &s)) abort();
	char *p = mmap(0, s.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED || p[5]) abort();
	p[0] = 'x';
	if (mmap(0, 4096, PROT_READ, MAP_PRIVATE, 77, 0) != MAP_FAILED) abort();
	int r = 0;
	if (p[4] == 'y') r = 1;
	if (munmap(p, s.st_size)) abort();
	return r;
}
