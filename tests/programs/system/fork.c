// expect: paths=1 exit=0 incomplete=fork
// There is one process.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	if (fork() != -1 || errno != EAGAIN) abort();
	if (vfork() != -1 || errno != EAGAIN) abort();
	if (system("true") != -1) abort();
	if (popen("ls", "r")) abort();
	return 0;
}
