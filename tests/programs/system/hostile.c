// expect: paths=1 exit=0 incomplete=fork
// options: --max-memory 512M
// Tries to read, write, reach, kill and fill what is not its own. Natively it does the same in the sandbox.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
static void none(long result) { if (result != -1) abort(); }
int main(void)
{
	static const char *const secrets[] = {
		"/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", "/proc/1/environ", "/proc/self/mem", "/sys/kernel", "/dev/mem", "/dev/sda",
		"/home", "../../../../etc/passwd", "/bin/sh", "/usr/bin/env", "/proc/self/root/etc/passwd",
	};
	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
		none(open(secrets[i], O_RDONLY));
		none(access(secrets[i], F_OK));
	}
	none(unlink("/etc/passwd"));
	none(rename("/etc", "/gone"));
	none(chdir("/root"));
	none(fork());
	none(system("touch /tmp/strata-was-here"));
	for (int pid = 1; pid < 300; pid++) if (pid != getpid()) none(kill(pid, SIGKILL));
	none(kill(-1, SIGKILL));
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	none(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&to, sizeof to));
	none(setuid(0));
	none(chroot("/"));
	/* A file outside must not appear: this one is the test's own. */
	int fd = open("/tmp/strata-was-here", O_CREAT | O_WRONLY, 0666);
	if (fd < 0) abort();
	for (int i = 0; i < 256; i++) {
		static char block[1 << 16];
		if (write(fd, block, sizeof block) != sizeof block) break;
	}
	close(fd);
	for (int i = 0; i < 64; i++) {
		char name[32];
		snprintf(name, sizeof name, "/tmp/%d", i);
		mkdir(name, 0777);
	}
	if (mmap(0, 1UL << 46, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED) abort();
	return 0;
}
