// expect: paths=1 exit=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char name[] = "/tmp/abcXXXXXX", line[16];
	FILE *f = tmpfile();
	if (!f || fputs("one\ntwo\n", f) < 0) abort();
	rewind(f);
	if (!fgets(line, sizeof line, f) || !fgets(line, sizeof line, f) || strcmp(line, "two\n")) abort();
	fclose(f);
	int fd = mkstemp(name);
	if (fd < 0 || access(name, R_OK | W_OK) || unlink(name)) abort();
	return 0;
}
