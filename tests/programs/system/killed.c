// expect: paths=2 errors=signal@7 exit=1
// args: --sym-arg 1
#include <signal.h>
int main(int argc, char **argv)
{
	if (argv[1][0] == 'k')
		raise(SIGTERM);
	return 0;
}
