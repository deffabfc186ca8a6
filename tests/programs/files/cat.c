// expect: paths=4..40 exit=0
// args: --sym-files 1 4 --sym-arg 2
// A small cat on a name that is symbolic: the file, folders under several spellings, and names that nobody has.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char buffer[8];
	int fd = open(argv[1], O_RDONLY);
	if (fd < 0) {
		perror("cat");
		return 1;
	}
	long n;
	while ((n = read(fd, buffer, sizeof buffer)) > 0) write(1, buffer, n);
	if (n < 0) perror("cat");
	return n < 0 ? 2 : 0;
}
