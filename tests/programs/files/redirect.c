// expect: paths=2 exit=0
// args: --sym-arg 1
// Standard output led into a file and back: printf of a symbolic value lands where the descriptor leads.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char b[8] = { 0 };
	int kept = dup(1), fd = open("out", O_CREAT | O_RDWR | O_TRUNC, 0666);
	dup2(fd, 1);
	printf("<%c>", argv[1][0]);
	fflush(stdout);
	dup2(kept, 1);
	if (pread(fd, b, sizeof b, 0) != 3 || b[1] != argv[1][0]) abort();
	printf("now %c\n", argv[1][0]);
	if (b[1] == 'q') return 1;
	return 0;
}
