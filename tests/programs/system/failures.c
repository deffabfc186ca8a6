// expect: paths=4..30 exit=0
// args: --sym-files 1 4 --max-fail 1
// Each of these calls may fail, one of them on each path.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char b[4], folder[64];
	int fd = open("A", O_RDWR), failed = 0;
	if (read(fd, b, 4) < 0) failed++, printf("read %d\n", errno);
	if (write(fd, b, 4) < 0) failed++, printf("write %d\n", errno);
	if (ftruncate(fd, 2)) failed++, printf("ftruncate %d\n", errno);
	if (!getcwd(folder, sizeof folder)) failed++, printf("getcwd %d\n", errno);
	if (close(fd)) failed++, printf("close %d\n", errno);
	return failed;
}
