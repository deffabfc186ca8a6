// expect: paths=1 exit=0
// What is ready, and time that passes where nothing is.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	int p[2];
	if (pipe(p)) abort();
	struct pollfd f[] = { { 0, POLLIN, 0 }, { 1, POLLOUT, 0 }, { p[0], POLLIN, 0 }, { p[1], POLLOUT, 0 }, { 77, POLLIN, 0 }, { -1, POLLIN, 0 } };
	printf("%d", poll(f, 6, 1000));
	for (int i = 0; i < 6; i++) printf(" %x", f[i].revents);
	time_t t = time(0);
	printf("\n%d", poll(f + 2, 1, 5000));
	printf(" %d %d\n", f[2].revents, (int)(time(0) - t));
	write(p[1], "x", 1);
	fd_set r, w;
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(p[0], &r);
	FD_SET(p[1], &w);
	FD_SET(0, &r);
	int n = select(p[1] + 1, &r, &w, 0, &(struct timeval){ 1, 0 });
	printf("%d %d %d %d\n", n, FD_ISSET(p[0], &r) != 0, FD_ISSET(p[1], &w) != 0, FD_ISSET(0, &r) != 0);
	close(p[1]);
	char c;
	read(p[0], &c, 1);
	printf("%d %x\n", poll(f + 2, 1, -1), f[2].revents);
	return 0;
}
