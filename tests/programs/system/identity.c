// expect: paths=1 exit=0
// Who and where the program is.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <errno.h>
#include <unistd.h>
int main(void)
{
	struct utsname u;
	struct rlimit r;
	struct statvfs v;
	unsigned char random[8];
	gid_t groups[8];
	uname(&u);
	printf("%s %s %s %s %s\n", u.sysname, u.nodename, u.release, u.version, u.machine);
	printf("%d %d %d %d\n", getpid(), getppid(), getpgrp(), getsid(0));
	printf("%d %d %d %d %d\n", getuid(), geteuid(), getgid(), getegid(), getgroups(8, groups));
	getrlimit(RLIMIT_NOFILE, &r);
	printf("%ld %ld\n", (long)r.rlim_cur, (long)r.rlim_max);
	r.rlim_cur = 100;
	if (setrlimit(RLIMIT_NOFILE, &r) || getrlimit(RLIMIT_NOFILE, &r)) abort();
	printf("%ld %ld\n", (long)r.rlim_cur, (long)r.rlim_max);
	if (getrandom(random, 8, 0) != 8) abort();
	printf("%d %d %d\n", random[0], random[1], random[7]);
	if (statvfs(".", &v)) abort();
	printf("%ld %ld %ld\n", (long)v.f_bsize, (long)v.f_blocks, (long)v.f_namemax);
	printf("%d %d %ld\n", get_nprocs(), (int)sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PAGESIZE));
	if (setuid(0) != -1 || errno != EPERM || wait(0) != -1 || errno != ECHILD || chroot("/") != -1) abort();
	return 0;
}
