// expect: paths=1 exit=0
// What is written to a shared mapping reaches the file.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	char c = 0;
	int fd = open("f", O_CREAT | O_RDWR, 0600);
	if (ftruncate(fd, 4096)) abort();
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	p[1] = 'x';
	if (pread(fd, &c, 1, 1) != 1 || c != 'x') abort();
	return 0;
}
