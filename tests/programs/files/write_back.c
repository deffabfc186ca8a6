// expect: paths=2 exit=0
// args: --sym-files 1 4
// What is written is read back, through a new file, a rename and an append.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char text[8] = { 0 }, back[16] = { 0 };
	FILE *f = fopen("A", "r"), *g = fopen("new", "w");
	if (!f || !g || fread(text, 1, 4, f) != 4) abort();
	fwrite(text, 1, 4, g);
	if (fclose(g) || rename("new", "newer") || access("new", F_OK) == 0) abort();
	g = fopen("newer", "a+");
	fputs("end", g);
	rewind(g);
	if (fread(back, 1, sizeof back, g) != 7 || memcmp(back, text, 4) || strcmp(back + 4, "end")) abort();
	fclose(g);
	if (unlink("newer") || unlink("newer") != -1) abort();
	if (back[1] == 'z') return 1;
	return 0;
}
