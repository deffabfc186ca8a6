// expect: paths=2..6 exit=0
// args: --sym-files 1 3
// What comes from the other side is symbolic, and everything that is sent is taken.
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
	char a[8] = { 0 }, b[8] = { 0 };
	struct sockaddr_in to = { .sin_family = AF_INET };
	int s = socket(AF_INET, SOCK_STREAM, 0), l = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0 || connect(s, (void *)&to, sizeof to) || send(s, "hello", 5, 0) != 5 || write(s, "x", 1) != 1) abort();
	if (recv(s, a, 8, MSG_PEEK) != 3 || recv(s, b, 8, 0) != 3 || memcmp(a, b, 3) || read(s, b, 8) != 0) abort();
	if (bind(l, (void *)&to, sizeof to) || listen(l, 1)) abort();
	int c = accept(l, 0, 0);
	if (c < 0 || read(c, b, 2) != 2) abort();
	if (a[0] == b[0]) return 1;
	return close(s) || close(l) || close(c) ? 3 : 0;
}
