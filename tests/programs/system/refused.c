// expect: paths=1 exit=0
// Without symbolic files nobody answers.
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(s, (void *)&to, sizeof to) != -1 || errno != ECONNREFUSED) abort();
	return 0;
}
