// expect: paths=2 exit=0
// args: --sym-arg 1
// A path that becomes another program is complete.
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (argv[1][0] == 'x') return 3;
	printf("before\n");
	execl("/bin/echo", "echo", argv[1], (char *)0);
	return 1;
}
