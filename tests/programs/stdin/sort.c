// expect: paths=2..60 exit=0
// args: --sym-stdin 4
// qsort of the lines of standard input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void)
{
	char text[8] = { 0 }, *lines[8];
	int n = 0;
	size_t size = fread(text, 1, 4, stdin);
	for (char *p = strtok(text, "\n"); p && n < 8; p = strtok(0, "\n")) lines[n++] = p;
	qsort(lines, n, sizeof *lines, compare);
	for (int i = 1; i < n; i++) if (strcmp(lines[i - 1], lines[i]) > 0) abort();
	return n + (size != 4) * 100;
}
