// expect: paths=1 exit=0
// Signals that the program sends to itself, and the alarm.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t count, last;
static void handle(int number)
{
	count++;
	last = number;
}
static void nested(int number)
{
	raise(SIGUSR2);
	printf("in %d: %d\n", number, count);
	count += 10;
}
static void told(int number, siginfo_t *info, void *context)
{
	printf("%d %d %d\n", number, info->si_signo, context != 0);
}
int main(void)
{
	struct sigaction action = { .sa_handler = handle }, old;
	sigset_t set, before;
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	raise(SIGUSR1);
	printf("%d %d\n", count, last);
	kill(getpid(), SIGUSR2);
	printf("%d %d\n", count, last);
	signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	raise(SIGWINCH);
	printf("%d\n", count);
	signal(SIGUSR1, nested);
	raise(SIGUSR1);
	printf("%d\n", count);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &before);
	kill(0, SIGUSR2);
	printf("blocked %d\n", count);
	sigprocmask(SIG_SETMASK, &before, 0);
	printf("let through %d\n", count);
	action.sa_handler = 0;
	action.sa_flags = SA_SIGINFO | SA_RESETHAND;
	action.sa_sigaction = told;
	sigaction(SIGUSR1, &action, &old);
	printf("%d\n", old.sa_handler == nested);
	raise(SIGUSR1);
	sigaction(SIGUSR1, 0, &old);
	printf("%d\n", old.sa_handler == SIG_DFL);
	signal(SIGALRM, handle);
	alarm(2);
	printf("%u\n", alarm(5));
	printf("sleep %u %d\n", sleep(10), last);
	alarm(1);
	printf("pause %d %d %d\n", pause(), errno == EINTR, count);
	if (kill(1, SIGTERM) != -1 || errno != EPERM || kill(12345, 0) != -1 || errno != ESRCH) abort();
	signal(SIGPIPE, SIG_IGN);
	int p[2];
	if (pipe(p) || close(p[0]) || write(p[1], "x", 1) != -1 || errno != EPIPE) abort();
	return 0;
}
