// expect: paths=2 exit=0
// args: --sym-files 1 5
// A private mapping of a file.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(void)
{
	int fd = open("A", O_RDONLY);
	struct stat s;
	if (fstat(fd, &s)) return 9;
	char *p = mmap(0, s.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED || p[5]) return 8;
	p[0] = 'x';
	if (mmap(0, 4096, PROT_READ, MAP_PRIVATE, 77, 0) != MAP_FAILED) return 7;
	int r = p[4] == 'y';
	return munmap(p, s.st_size) ? 6 : r;
}
