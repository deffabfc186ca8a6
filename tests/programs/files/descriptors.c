// expect: paths=1 exit=0
// Descriptors: copies share positions, the least number is given, misuse is answered.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#define IS(call, error) do { errno = 0; long r = (long)(call); printf("%d: %ld %d\n", __LINE__, r, errno); if (errno != (error)) abort(); } while (0)
int main(void)
{
	char b[8] = { 0 };
	int p[2];
	IS(open("f", O_CREAT | O_RDWR, 0600), 0);
	IS(write(3, "hello", 5), 0);
	IS(dup(3), 0);
	IS(lseek(4, 1, SEEK_SET), 0);
	IS(read(3, b, 2), 0);
	puts(b);
	IS(lseek(4, 0, SEEK_CUR), 0);
	IS(pread(3, b, 5, 3), 0);
	IS(pwrite(3, "L", 1, 7), 0);
	IS(lseek(3, 0, SEEK_END), 0);
	IS(ftruncate(3, 2), 0);
	IS(read(3, b, 1), 0);
	IS(fcntl(3, F_GETFL), 0);
	IS(fcntl(3, F_SETFL, O_APPEND), 0);
	IS(lseek(3, 0, SEEK_SET), 0);
	IS(write(3, "X", 1), 0);
	IS(lseek(3, 0, SEEK_CUR), 0);
	IS(fcntl(3, F_GETFD), 0);
	IS(fcntl(3, F_SETFD, FD_CLOEXEC), 0);
	IS(fcntl(3, F_GETFD), 0);
	IS(fcntl(3, F_DUPFD, 10), 0);
	IS(dup2(3, 3), 0);
	IS(dup2(3, 20), 0);
	IS(dup2(77, 20), EBADF);
	IS(close(20), 0);
	IS(close(20), EBADF);
	IS(read(20, b, 1), EBADF);
	IS(write(0, b, 1), EBADF);
	IS(read(1, b, 1), EBADF);
	IS(lseek(1, 0, SEEK_SET), ESPIPE);
	IS(isatty(1), ENOTTY);
	IS(pipe(p), 0);
	printf("%d %d\n", p[0], p[1]);
	IS(write(p[1], "abc", 3), 0);
	IS(read(p[0], b, 2), 0);
	IS(close(p[1]), 0);
	IS(read(p[0], b, 8), 0);
	IS(read(p[0], b, 8), 0);
	IS(lseek(p[0], 0, SEEK_CUR), ESPIPE);
	IS(open("/dev/null", O_RDWR), 0);
	IS(write(6, b, 8), 0);
	IS(read(6, b, 8), 0);
	IS(open("/dev/zero", O_RDONLY), 0);
	IS(read(7, b, 8), 0);
	IS(open("/dev/stdout", O_WRONLY), 0);
	IS(write(8, "direct\n", 7), 0);
	IS(read(open(".", O_RDONLY), b, 1), EISDIR);
	IS(open("/etc/passwd", O_RDONLY), ENOENT);
	IS(open("/proc/self/maps", O_RDONLY), ENOENT);
	return 0;
}
