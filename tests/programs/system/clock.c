// expect: paths=1 exit=0
// The clock starts at a fixed time and moves with each look and each sleep.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct timespec a, b;
	struct timeval v;
	struct tms t;
	clock_gettime(CLOCK_REALTIME, &a);
	printf("%ld %ld\n", (long)a.tv_sec, a.tv_nsec);
	time_t now = time(0);
	printf("%s", asctime(gmtime(&now)));
	sleep(3);
	gettimeofday(&v, 0);
	printf("%ld %ld\n", (long)v.tv_sec, (long)v.tv_usec);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%ld %ld %ld %ld\n", (long)b.tv_sec, b.tv_nsec, (long)times(&t), (long)clock());
	usleep(10);
	nanosleep(&(struct timespec){ 0, 999999999 }, 0);
	if (nanosleep(&(struct timespec){ 0, 1000000000 }, 0) != -1) return 1;
	clock_gettime(CLOCK_REALTIME, &b);
	printf("%ld %ld\n", (long)b.tv_sec, b.tv_nsec);
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u);
}
