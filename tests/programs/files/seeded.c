// expect: paths=1 exit=0
// options: --file data=../../tests/programs/files/seed --file /etc/motd=../../tests/programs/files/seed/lines
// Files of this machine that were named, and nothing beside them. (Tests run in the folder of the crate that runs them.)
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
int main(void)
{
	char line[32];
	struct stat s;
	DIR *d = opendir("data");
	for (struct dirent *e; d && (e = readdir(d)); ) puts(e->d_name);
	FILE *f = fopen("data/lines", "r");
	while (f && fgets(line, sizeof line, f)) printf("%s", line);
	if (stat("data/sub/x", &s) || s.st_size != 1 || s.st_mtime != 1600000000) abort();
	f = fopen("/etc/motd", "r");
	if (!f || fopen("/etc/passwd", "r") || fopen("/etc/hosts", "r")) abort();
	return 0;
}
