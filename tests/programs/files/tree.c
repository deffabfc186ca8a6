// expect: paths=1 exit=0
// What folders, links and names do, and how each misuse is answered.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define IS(call, error) do { errno = 0; long r = (long)(call); printf("%d: %ld %d\n", __LINE__, r, errno); if (errno != (error)) abort(); } while (0)
int main(void)
{
	char buffer[PATH_MAX];
	struct stat s, t;
	IS(getcwd(buffer, sizeof buffer) != buffer, 0);
	puts(buffer);
	IS(mkdir("d", 0777), 0);
	IS(mkdir("d", 0777), EEXIST);
	IS(mkdir("d/e/f", 0777), ENOENT);
	IS(mkdir("d/e/", 0700), 0);
	IS(close(open("d/f", O_CREAT | O_WRONLY, 0644)), 0);
	IS(open("d/f", O_CREAT | O_EXCL | O_RDWR, 0644), EEXIST);
	IS(open("d", O_WRONLY), EISDIR);
	IS(open("d/f/g", O_RDONLY), ENOTDIR);
	IS(open("d/f/", O_RDONLY), ENOTDIR);
	IS(open("d/f", O_RDONLY | O_DIRECTORY), ENOTDIR);
	IS(open("", O_RDONLY), ENOENT);
	IS(open("d/none/", O_CREAT | O_WRONLY, 0644), EISDIR);
	IS(symlink("d/f", "l"), 0);
	IS(symlink("round", "round"), 0);
	IS(open("round", O_RDONLY), ELOOP);
	IS(open("l", O_RDONLY | O_NOFOLLOW), ELOOP);
	IS(readlink("l", buffer, 2), 0);
	IS(readlink("d/f", buffer, 2), EINVAL);
	IS(stat("l", &s) || lstat("l", &t), 0);
	printf("%o %o %d %d\n", s.st_mode, t.st_mode, (int)t.st_size, s.st_ino == t.st_ino);
	IS(link("d/f", "hard"), 0);
	IS(link("d", "hard2"), EPERM);
	IS(stat("d/f", &s), 0);
	printf("%d links, %d %d\n", (int)s.st_nlink, s.st_uid, s.st_gid);
	IS(stat("d", &s), 0);
	printf("%d links, size %d, blocks %d\n", (int)s.st_nlink, (int)s.st_size, (int)s.st_blocks);
	IS(rmdir("d"), ENOTEMPTY);
	IS(rmdir("d/f"), ENOTDIR);
	IS(rmdir("d/."), EINVAL);
	IS(unlink("d"), EISDIR);
	IS(rename("d", "d/e/x"), EINVAL);
	IS(rename("hard", "d"), EISDIR);
	IS(rename("d", "hard"), ENOTDIR);
	IS(rename("none", "x"), ENOENT);
	IS(rename("d/e", "e"), 0);
	IS(rmdir("e"), 0);
	IS(chmod("d/f", 0400), 0);
	IS(open("d/f", O_WRONLY), EACCES);
	IS(access("d/f", R_OK), 0);
	IS(access("d/f", W_OK), EACCES);
	IS(chmod("hard", 0755), 0);
	IS(access("hard", X_OK), 0);
	IS(chdir("d/f"), ENOTDIR);
	IS(chdir("d"), 0);
	puts(getcwd(buffer, sizeof buffer));
	puts(realpath("../l", buffer));
	IS(chdir(".."), 0);
	DIR *d = opendir(".");
	for (struct dirent *e; (e = readdir(d)); ) printf("%s %d\n", e->d_name, e->d_type);
	rewinddir(d);
	printf("%s\n", readdir(d)->d_name);
	closedir(d);
	IS(unlink("d/f"), 0);
	IS(truncate("hard", 10), 0);
	IS(stat("hard", &s), 0);
	printf("%d links, size %d\n", (int)s.st_nlink, (int)s.st_size);
	return 0;
}
