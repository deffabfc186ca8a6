// expect: paths=5 exit=0
// args: --sym-files 2 4 A
// A file format with a header of four bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	unsigned char head[4];
	FILE *f = fopen(argv[1], "rb");
	if (!f || fread(head, 1, 4, f) != 4) abort();
	if (memcmp(head, "PK", 2)) return 1;
	if (head[2] > 3) return 2;
	fclose(f);
	return head[3] == 7 ? head[2] == 1 ? 4 : 3 : 5;
}
