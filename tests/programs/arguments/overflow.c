// expect: errors=ptr@8+ exit=1
// args: --sym-args 1 1 8
// A copy of an argument that may be too long.
#include <string.h>
int main(int argc, char **argv)
{
	char buffer[8];
	strcpy(buffer, argv[1]);
	return buffer[0] == 'x';
}
