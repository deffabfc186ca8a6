/* System calls as the modelled kernel (crates/linux) answers them.
 *
 * A test predicts what the program does in the modelled world. Natively it runs in the sandbox, on a real kernel: files, pipes and signals are
 * that kernel's. What would differ from machine to machine and from run to run is answered here: the clock, process and user numbers, the
 * name of the system, random bytes, numbers and times of files, the order of names in a folder, limits; and what the sandbox has not: other
 * processes, sockets. Whoever changes an answer in crates/linux changes it here. */
#include "native.h"

#define START 1600000000L
#define TICK 1000L
#define SECOND 1000000000L
#define PROCESS 2
#define PARENT 1
#define USER 1000

enum {
	SYS_open = 2, SYS_stat = 4, SYS_fstat = 5, SYS_lstat = 6, SYS_poll = 7, SYS_lseek = 8, SYS_brk = 12, SYS_ioctl = 16,
	SYS_pread = 17, SYS_pwrite = 18, SYS_readv = 19, SYS_writev = 20, SYS_access = 21, SYS_select = 23, SYS_mremap = 25, SYS_dup2 = 33, SYS_dup3 = 292,
	SYS_pause = 34, SYS_nanosleep = 35, SYS_getitimer = 36, SYS_alarm = 37, SYS_setitimer = 38, SYS_socket = 41,
	SYS_connect = 42, SYS_accept = 43, SYS_sendto = 44, SYS_recvfrom = 45, SYS_sendmsg = 46, SYS_recvmsg = 47,
	SYS_shutdown = 48, SYS_bind = 49, SYS_listen = 50, SYS_getsockname = 51, SYS_getpeername = 52, SYS_setsockopt = 54,
	SYS_getsockopt = 55, SYS_clone = 56, SYS_fork = 57, SYS_vfork = 58, SYS_execve = 59, SYS_wait4 = 61, SYS_uname = 63,
	SYS_ftruncate = 77, SYS_getcwd = 79, SYS_chown = 92, SYS_fchown = 93, SYS_lchown = 94, SYS_gettimeofday = 96,
	SYS_getrlimit = 97, SYS_getrusage = 98, SYS_sysinfo = 99, SYS_times = 100, SYS_getuid = 102, SYS_getgid = 104,
	SYS_setuid = 105, SYS_setgid = 106, SYS_geteuid = 107, SYS_getegid = 108, SYS_setpgid = 109, SYS_getppid = 110,
	SYS_getpgrp = 111, SYS_setsid = 112, SYS_setreuid = 113, SYS_setregid = 114, SYS_getgroups = 115, SYS_setgroups = 116,
	SYS_setresuid = 117, SYS_getresuid = 118, SYS_setresgid = 119, SYS_getresgid = 120, SYS_getpgid = 121, SYS_getsid = 124,
	SYS_rt_sigsuspend = 130, SYS_statfs = 137, SYS_fstatfs = 138, SYS_getpriority = 140, SYS_setpriority = 141,
	SYS_setrlimit = 160, SYS_chroot = 161, SYS_sethostname = 170, SYS_gettid = 186, SYS_tkill = 200, SYS_time = 201,
	SYS_sched_getaffinity = 204, SYS_getdents64 = 217, SYS_set_tid_address = 218, SYS_clock_settime = 227,
	SYS_clock_gettime = 228, SYS_clock_getres = 229, SYS_clock_nanosleep = 230, SYS_tgkill = 234, SYS_openat = 257,
	SYS_fchownat = 260, SYS_newfstatat = 262, SYS_faccessat = 269, SYS_pselect6 = 270, SYS_ppoll = 271, SYS_accept4 = 288,
	SYS_msync = 26, SYS_vhangup = 153, SYS_pivot_root = 155, SYS_sync = 162, SYS_acct = 163, SYS_settimeofday = 164,
	SYS_mount = 165, SYS_umount2 = 166, SYS_swapon = 167, SYS_reboot = 169, SYS_setdomainname = 171, SYS_setxattr = 188,
	SYS_fremovexattr = 199, SYS_preadv = 295, SYS_pwritev = 296, SYS_prlimit64 = 302, SYS_getrandom = 318, SYS_execveat = 322,
};

enum {
	EPERM = -1, ENOENT = -2, ESRCH = -3, EINTR = -4, EIO = -5, EBADF = -9, ECHILD = -10, EAGAIN = -11, EACCES = -13,
	EFAULT = -14, ENOTDIR = -20, EINVAL = -22, ERANGE = -34, ENOSYS = -38, ENOTSOCK = -88, EPROTONOSUPPORT = -93,
	EAFNOSUPPORT = -97, EOPNOTSUPP = -95, EISCONN = -106, ENOTCONN = -107, ECONNREFUSED = -111,
};

#define AT_FDCWD (-100)

struct status {
	uint64_t dev, ino, nlink;
	uint32_t mode, uid, gid, pad;
	uint64_t rdev;
	int64_t size, blksize, blocks, times[6], unused[3];
};

#define IS(mode, kind) (((mode) & 0170000) == (kind))
#define REGULAR 0100000
#define FOLDER 0040000
#define DEVICE 0020000
#define FIFO 0010000
#define SOCKET 0140000

static long real(long n, long a, long b, long c)
{
	return __strata_kernel6(n, a, b, c, 0, 0, 0);
}

static void copy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
}

static void clear(void *to, size_t n)
{
	for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = 0;
}

static int equal(const char *a, const char *b)
{
	while (*a && *a == *b) a++, b++;
	return *a == *b;
}

/* The program waits for something that never comes: its path was left there. */
static _Noreturn void waits(void)
{
	__strata_end_exit(END_SILENT, 0, "it waits for ever", 0, 0);
}

/* ---- calls that fail, as the test says ---- */

static struct { const char *name; uint32_t call, at; } failures[] = {
	{ "read_fail" }, { "write_fail" }, { "close_fail" }, { "ftruncate_fail" }, { "getcwd_fail" }, { "short_read" },
};

enum { READ, WRITE, CLOSE, TRUNCATE, GETCWD, SHORT, KINDS };

void __strata_kernel_start(void)
{
	for (int i = 0; i < KINDS; i++) {
		size_t size;
		const unsigned char *bytes = __strata_object(failures[i].name, &size);
		if (bytes && size == 4) failures[i].at = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	}
}

static int fails(int kind)
{
	return ++failures[kind].call == failures[kind].at;
}

/* ---- the clock ---- */

static long now, alarm_at;

static long look(void)
{
	return now += TICK;
}

static long since(long clock)
{
	switch (clock) {
	case 0: case 5: case 11: return START;
	case 1: case 4: case 6: case 7: return 1000;
	case 2: case 3: return 0;
	}
	return -1;
}

static long raise_alarm(void)
{
	now = alarm_at;
	alarm_at = 0;
	real(SYS_tkill, real(SYS_gettid, 0, 0, 0), 14, 0);
	return EINTR;
}

/* Is the alarm ignored? Then whoever sleeps is not woken by it. */
static int alarm_ignored(void)
{
	unsigned long action[4] = { 0 };
	__strata_kernel6(SYS_rt_sigaction, 14, 0, (long)action, 8, 0, 0);
	return action[0] == 1;
}

static long pass(long span)
{
	if (alarm_at && alarm_at <= now + span) {
		int ignored = alarm_ignored();
		raise_alarm();
		return ignored ? 0 : EINTR;
	}
	now += span;
	return 0;
}

static long sleep_for(const long *span)
{
	if (span[1] < 0 || span[1] >= SECOND || span[0] < 0) return EINVAL;
	long seconds = span[0] < 100L * 365 * 86400 ? span[0] : 100L * 365 * 86400;
	return pass(seconds * SECOND + span[1]);
}

static long until_signal(void)
{
	if (!alarm_at || alarm_ignored()) waits();
	return raise_alarm();
}

static long left(void)
{
	if (!alarm_at) return 0;
	return alarm_at > now ? alarm_at - now : 1;
}

static void set_alarm(long span)
{
	alarm_at = span > 0 ? now + span : 0;
}

/* ---- status of files ---- */

static struct { uint64_t dev, ino; } seen[4096];
static size_t seen_count;

static uint64_t numbered(uint64_t dev, uint64_t ino)
{
	for (size_t i = 0; i < seen_count; i++) if (seen[i].dev == dev && seen[i].ino == ino) return i + 1;
	if (seen_count == sizeof seen / sizeof *seen) return ino;
	seen[seen_count].dev = dev;
	seen[seen_count].ino = ino;
	return ++seen_count;
}

static uint64_t root_device(void)
{
	static uint64_t device;
	struct status s;
	if (!device && !real(SYS_stat, (long)"/", (long)&s, 0)) device = s.dev;
	return device;
}

static int is_socket(long fd);

static long told(long result, struct status *s, int socket)
{
	if (result) return result;
	long real_now[2] = { 0 };
	real(SYS_clock_gettime, 0, (long)real_now, 0);
	for (int i = 0; i < 6; i += 2) {
		long age = real_now[0] - s->times[i];
		/* Whatever happened since the program began happened in the modelled world's first second. */
		if (i == 4 || IS(s->mode, DEVICE) || (age > -3600 && age < 3600)) s->times[i] = START, s->times[i + 1] = 0;
	}
	s->ino = numbered(s->dev, s->ino);
	if (IS(s->mode, REGULAR) && s->dev != root_device()) s->mode = REGULAR | 0644, s->nlink = 1;
	if (socket) s->mode = SOCKET | 0777, s->nlink = 1, s->size = 0;
	s->dev = 1;
	s->uid = s->gid = USER;
	s->blksize = 4096;
	if (IS(s->mode, FOLDER)) s->size = 4096;
	if (!IS(s->mode, DEVICE)) s->rdev = 0;
	s->blocks = IS(s->mode, REGULAR) || IS(s->mode, FOLDER) ? (s->size + 4095) / 4096 * 8 : 0;
	return 0;
}

/* The descriptor that a name stands for, or -1. */
static long alias(const char *name)
{
	if (equal(name, "/dev/stdin")) return 0;
	if (equal(name, "/dev/stdout")) return 1;
	if (equal(name, "/dev/stderr")) return 2;
	return -1;
}

static long status_at(long folder, const char *name, struct status *s, long flags)
{
	long fd = flags & 0x100 ? -1 : alias(name);
	if (fd >= 0) {
		long r = real(SYS_fstat, fd, (long)s, 0);
		return told(r == EBADF ? ENOENT : r, s, is_socket(fd));
	}
	int empty = !*name && flags & 0x1000;
	return told(__strata_kernel6(SYS_newfstatat, folder, (long)name, (long)s, flags, 0, 0), s, empty && is_socket(folder));
}

static long open_at(long folder, const char *name, long flags, long mode)
{
	long fd = alias(name);
	if (fd >= 0 && !(flags & 0400000)) {
		fd = real(72, fd, flags & 02000000 ? 1030 : 0, 0);
		return fd == EBADF ? ENOENT : fd;
	}
	return __strata_kernel6(SYS_openat, folder, (long)name, flags, mode, 0, 0);
}

/* The sandbox's files cannot be executed, so it is asked for the permission itself. */
static long access_at(long folder, const char *name, long mode)
{
	long fd = alias(name);
	struct status s;
	if (mode & ~7L) return EINVAL;
	if (fd >= 0) return real(SYS_fstat, fd, (long)&s, 0) ? ENOENT : (s.mode >> 6 & mode) == mode ? 0 : EACCES;
	long r = __strata_kernel6(SYS_faccessat, folder, (long)name, mode & ~1L, 0, 0, 0);
	if (r || !(mode & 1)) return r;
	r = __strata_kernel6(SYS_newfstatat, folder, (long)name, (long)&s, 0, 0, 0);
	return r ? r : s.mode & 0100 ? 0 : EACCES;
}

/* Everything belongs to one user: nobody else can be given it. */
static long own(long result, uint32_t user, uint32_t group)
{
	if (result) return result;
	return (user == USER || user == UINT32_MAX) && (group == USER || group == UINT32_MAX) ? 0 : EPERM;
}

/* ---- folders, in the order of their names ---- */

struct entry { uint64_t ino, off; uint16_t length; uint8_t kind; char name[256]; };

static struct listing {
	long fd;
	uint64_t dev;
	size_t count, at, room;
	struct entry *entries;
} listings[16];

static int before(const char *a, const char *b)
{
	while (*a && *a == *b) a++, b++;
	return (unsigned char)*a < (unsigned char)*b;
}

static struct listing *listing_of(long fd)
{
	for (int i = 0; i < 16; i++) if (listings[i].entries && listings[i].fd == fd) return listings + i;
	return 0;
}

static void forget_listing(long fd)
{
	struct listing *l = listing_of(fd);
	if (!l) return;
	real(SYS_munmap, (long)l->entries, (long)l->room, 0);
	l->entries = 0;
}

static struct listing *list(long fd)
{
	static char buffer[32768] __attribute__((aligned(8)));
	struct listing *l = 0;
	for (int i = 0; i < 16 && !l; i++) if (!listings[i].entries) l = listings + i;
	if (!l) return 0;
	struct status s;
	real(SYS_fstat, fd, (long)&s, 0);
	l->fd = fd;
	l->dev = s.dev;
	l->count = l->at = 0;
	l->room = 4096 * sizeof(struct entry);
	l->entries = map(0, l->room, PROT_READ | PROT_WRITE, 0);
	if (!l->entries) return 0;
	for (;;) {
		long n = real(SYS_getdents64, fd, (long)buffer, sizeof buffer);
		if (n <= 0) break;
		for (char *p = buffer; p < buffer + n; p += ((struct entry *)p)->length) {
			struct entry *e = (struct entry *)p;
			if (l->count == 4096) break;
			size_t i = l->count++;
			for (; i && before(e->name, l->entries[i - 1].name); i--) l->entries[i] = l->entries[i - 1];
			size_t size = e->length < sizeof *e ? e->length : sizeof *e;
			clear(l->entries + i, sizeof *e);
			copy(l->entries + i, e, size);
		}
	}
	return l;
}

static long entries(long fd, char *to, size_t room)
{
	struct listing *l = listing_of(fd);
	if (!l || l->at == 0) {
		forget_listing(fd);
		long r = real(SYS_lseek, fd, 0, 0);
		if (r < 0) return r == -29 ? ENOTDIR : r;
		struct status s;
		if (!real(SYS_fstat, fd, (long)&s, 0) && !IS(s.mode, FOLDER)) return ENOTDIR;
		l = list(fd);
		if (!l) return real(SYS_getdents64, fd, (long)to, (long)room);
	}
	size_t used = 0;
	for (; l->at < l->count; l->at++) {
		struct entry *e = l->entries + l->at;
		size_t length = 0;
		while (e->name[length]) length++;
		length = (19 + length + 1 + 7) / 8 * 8;
		if (used + length > room) break;
		struct entry out = *e;
		out.ino = numbered(l->dev, e->ino);
		out.off = l->at + 1;
		out.length = length;
		copy(to + used, &out, length < sizeof out ? length : sizeof out);
		used += length;
	}
	return !used && l->at < l->count ? EINVAL : (long)used;
}

static long seek(long fd, long offset, long whence)
{
	struct listing *l = listing_of(fd);
	if (!l) return real(SYS_lseek, fd, offset, whence);
	if (whence > 1) return EINVAL;
	offset += whence ? (long)l->at : 0;
	if (offset < 0) return EINVAL;
	l->at = offset > (long)l->count ? l->count : (size_t)offset;
	return offset;
}

/* ---- sockets: files with what the other side sent ---- */

static struct { long fd; char connected, listens; } sockets[64];
static int peers;

static int socket_at(long fd)
{
	for (int i = 0; fd >= 0 && i < 64; i++) if (sockets[i].fd == fd + 1) return i;
	return -1;
}

static int is_socket(long fd)
{
	return socket_at(fd) >= 0;
}

static long new_socket(long flags)
{
	long fd = __strata_kernel6(SYS_openat, AT_FDCWD, (long)"/tmp", 020200000 | 2 | (flags & 02004000), 0600, 0, 0);
	for (int i = 0; fd >= 0 && i < 64; i++) {
		if (sockets[i].fd) continue;
		sockets[i].fd = fd + 1;
		sockets[i].connected = sockets[i].listens = 0;
		break;
	}
	return fd;
}

static long make_socket(long family, long kind)
{
	if (family != 1 && family != 2 && family != 10) return EAFNOSUPPORT;
	if ((kind & 15) != 1 && (kind & 15) != 2) return EPROTONOSUPPORT;
	return new_socket(kind);
}

/* What the next one to talk to has sent: the objects behind those of the files. */
static int peer(long fd)
{
	char name[] = "?-data";
	size_t size;
	int files = __strata_option("sym-files");
	if (files < 1 || files + peers >= 26) return 0;
	name[0] = 'A' + files + peers;
	const unsigned char *bytes = __strata_object(name, &size);
	if (!bytes) return 0;
	peers++;
	real(SYS_write, fd, (long)bytes, (long)size);
	real(SYS_lseek, fd, 0, 0);
	sockets[socket_at(fd)].connected = 1;
	return 1;
}

static long accept_one(long fd, long flags, uint32_t *length)
{
	if (!sockets[socket_at(fd)].listens) return EINVAL;
	if (length) *length = 0;
	long made = new_socket(flags);
	if (made < 0 || peer(made)) return made;
	sockets[socket_at(made)].fd = 0;
	real(SYS_close, made, 0, 0);
	if (real(72, fd, 3, 0) & 04000) return EAGAIN;
	waits();
}

struct part { char *base; size_t length; };

static long sum(const struct part *parts, long count)
{
	long all = 0;
	for (long i = 0; i < count; i++) all += (long)parts[i].length;
	return all;
}

static long broken(void)
{
	real(SYS_tkill, real(SYS_gettid, 0, 0, 0), 13, 0);
	return -32;
}

static long socket_call(long n, long fd, long b, long c, long d, long e, long f)
{
	int i = socket_at(fd);
	struct status s;
	if (i < 0) return real(SYS_fstat, fd, (long)&s, 0) ? EBADF : ENOTSOCK;
	int connected = sockets[i].connected;
	switch (n) {
	case SYS_connect: return connected ? EISCONN : peer(fd) ? 0 : ECONNREFUSED;
	case SYS_accept: return accept_one(fd, 0, (uint32_t *)c);
	case SYS_accept4: return accept_one(fd, d, (uint32_t *)c);
	case SYS_bind: case SYS_setsockopt: return 0;
	case SYS_listen: sockets[i].listens = 1; return 0;
	case SYS_sendto: case SYS_write: return connected ? c : broken();
	case SYS_writev: return connected ? sum((struct part *)b, c) : broken();
	case SYS_sendmsg: return connected ? sum(((struct part **)b)[2], ((long *)b)[3]) : broken();
	case SYS_recvfrom:
		if (f) *(uint32_t *)f = 0;
		if (!connected) return ENOTCONN;
		if (d & 2) return __strata_kernel6(SYS_pread, fd, b, c, real(SYS_lseek, fd, 0, 1), 0, 0);
		return real(SYS_read, fd, b, c);
	case SYS_recvmsg: return connected ? real(SYS_readv, fd, ((long *)b)[2], ((long *)b)[3]) : ENOTCONN;
	case SYS_shutdown: return connected ? 0 : ENOTCONN;
	case SYS_getsockname: case SYS_getpeername:
		clear((void *)b, 16);
		*(uint16_t *)b = 2;
		*(uint32_t *)c = 16;
		return 0;
	case SYS_getsockopt:
		*(uint32_t *)d = 0;
		*(uint32_t *)e = 4;
		return 0;
	}
	return ENOSYS;
}

/* ---- reading and writing ---- */

static long read_call(long n, long fd, long b, long c, long d)
{
	if (fails(READ)) return EIO;
	struct status s;
	if (real(SYS_fstat, fd, (long)&s, 0)) return EBADF;
	if (is_socket(fd) && !sockets[socket_at(fd)].connected) return ENOTCONN;
	if (IS(s.mode, FIFO) && (n == SYS_read || n == SYS_readv) && fd != 1 && fd != 2) {
		struct { int fd; short events, found; } poll = { (int)fd, 1, 0 };
		if (!real(SYS_poll, (long)&poll, 1, 0) && !(real(72, fd, 3, 0) & 04001)) waits();
	}
	if (failures[SHORT].at && IS(s.mode, REGULAR) && !is_socket(fd)) {
		long at = n == SYS_pread || n == SYS_preadv ? d : real(SYS_lseek, fd, 0, 1);
		long rest = s.size > at ? s.size - at : 0;
		struct part one = { (char *)b, (size_t)c }, *parts = n == SYS_readv || n == SYS_preadv ? (struct part *)b : &one;
		long count = n == SYS_readv || n == SYS_preadv ? c : 1, wanted = sum(parts, count);
		if ((wanted < rest ? wanted : rest) > 1 && fails(SHORT)) {
			while (!parts->length) parts++;
			if (n == SYS_pread || n == SYS_preadv) return __strata_kernel6(SYS_pread, fd, (long)parts->base, 1, d, 0, 0);
			return real(SYS_read, fd, (long)parts->base, 1);
		}
	}
	return __strata_kernel6(n, fd, b, c, d, 0, 0);
}

static long write_call(long n, long fd, long b, long c, long d)
{
	if (fails(WRITE)) return EIO;
	if (is_socket(fd)) return socket_call(n, fd, b, c, d, 0, 0);
	return __strata_kernel6(n, fd, b, c, d, 0, 0);
}

/* A descriptor is no longer what it was. */
static void forget(long fd)
{
	forget_listing(fd);
	if (is_socket(fd)) sockets[socket_at(fd)].fd = 0;
}

static long close_call(long fd)
{
	if (fails(CLOSE)) return EIO;
	forget(fd);
	return real(SYS_close, fd, 0, 0);
}

static long replace(long n, long from, long to, long flags)
{
	long r = real(n, from, to, flags);
	if (r >= 0 && from != to) forget(to);
	return r;
}

/* None is ready: time passes, and nobody waits for it. A span of -1 has no end. */
static long idle(long ready, long span)
{
	if (ready || !span) return ready;
	if (span < 0) return until_signal();
	return pass(span);
}

static long poll_call(long fds, long count, long span)
{
	struct { int fd; short events, found; } *list = (void *)fds;
	long ready = 0, sockets_ready = 0;
	ready = real(SYS_poll, fds, count, 0);
	if (ready < 0) return ready;
	for (long i = 0; i < count; i++) {
		if (!is_socket(list[i].fd)) continue;
		int s = socket_at(list[i].fd);
		short events = sockets[s].connected ? 0x145 : sockets[s].listens ? __strata_option("sym-files") > 0 ? 0x41 : 0 : 0x114;
		ready -= list[i].found != 0;
		list[i].found = events & (list[i].events | 0x38);
		sockets_ready += list[i].found != 0;
	}
	return idle(ready + sockets_ready, span);
}

static long select_call(long count, long reads, long writes, long errors, long span)
{
	long none[2] = { 0, 0 };
	return idle(__strata_kernel6(SYS_select, count, reads, writes, errors, (long)none, 0), span);
}

static long span_of(const long *time, long unit)
{
	return time ? time[0] * SECOND + time[1] * unit : -1;
}

/* ---- signals to others: there are none ---- */

static long kill_call(int target, long number)
{
	if (target == PROCESS || target == 0 || target == -PROCESS) {
		return real(SYS_kill, real(SYS_getpid, 0, 0, 0), number, 0);
	}
	if ((uint32_t)number > 64) return EINVAL;
	return target == PARENT ? EPERM : ESRCH;
}

static long kill_thread(int target, long number)
{
	if (target == PROCESS) return real(SYS_tkill, real(SYS_gettid, 0, 0, 0), number, 0);
	return (uint32_t)number > 64 ? EINVAL : ESRCH;
}

/* ---- what the system is ---- */

static long name_system(char *to)
{
	static const char *const names[] = { "Linux", "strata", "6.1.0", "#1", "x86_64", "(none)" };
	clear(to, 6 * 65);
	for (int i = 0; i < 6; i++) for (int k = 0; names[i][k]; k++) to[i * 65 + k] = names[i][k];
	return 0;
}

static uint64_t limits[16][2];
static char limit_set[16];

static long limit(uint32_t resource, const uint64_t *new, uint64_t *old)
{
	if (resource > 15) return EINVAL;
	uint64_t *pair = limits[resource];
	if (!limit_set[resource]) {
		uint64_t value = resource == 3 ? 8 << 20 : resource == 4 ? 0 : resource == 7 ? 256 : UINT64_MAX;
		pair[0] = pair[1] = value;
		limit_set[resource] = 1;
	}
	uint64_t wanted[2] = { pair[0], pair[1] }, before[2] = { pair[0], pair[1] };
	if (new) {
		wanted[0] = new[0], wanted[1] = new[1];
		if (wanted[0] > wanted[1]) return EINVAL;
		if (wanted[1] > pair[1]) return EPERM;
	}
	if (old) old[0] = before[0], old[1] = before[1];
	pair[0] = wanted[0], pair[1] = wanted[1];
	return 0;
}

static long file_system(long result, uint64_t *to)
{
	static const uint64_t fields[15] = { 0x01021994, 4096, 16384, 16000, 16000, 4096, 4000, 0, 255, 4096 };
	if (!result) copy(to, fields, sizeof fields);
	return result;
}

static long is_own(uint32_t user, int keeps)
{
	return user == USER || (keeps && user == UINT32_MAX) ? 0 : EPERM;
}

static long timer(const long *new, long *old)
{
	long rest = left();
	if (new && (new[0] || new[1])) return ENOSYS;
	if (old) old[0] = old[1] = 0, old[2] = rest / SECOND, old[3] = rest % SECOND / 1000;
	if (new) set_alarm(new[2] * SECOND + new[3] * 1000);
	return 0;
}

/* ---- the gate ---- */

static long numbers(long n, long a, long b, long c)
{
	switch (n) {
	case SYS_getpid: case SYS_gettid: case SYS_getpgrp: return PROCESS;
	case SYS_set_tid_address: real(n, a, b, c); return PROCESS;
	case SYS_getppid: return PARENT;
	case SYS_getuid: case SYS_geteuid: case SYS_getgid: case SYS_getegid: return USER;
	case SYS_setuid: case SYS_setgid: return is_own(a, 0);
	case SYS_setreuid: case SYS_setregid: case SYS_setresuid: case SYS_setresgid: return is_own(a, 1) ? EPERM : is_own(b, 1);
	case SYS_getresuid: case SYS_getresgid: *(int *)a = *(int *)b = *(int *)c = USER; return 0;
	case SYS_getpgid: case SYS_getsid: return (int)a == 0 || (int)a == PROCESS ? PROCESS : ESRCH;
	case SYS_getgroups: case SYS_setpgid: return 0;
	case SYS_setsid: case SYS_setgroups: case SYS_chroot: case SYS_sethostname: case SYS_clock_settime: return EPERM;
	case SYS_getpriority: return 20;
	case SYS_setpriority: return (int)c >= 0 ? 0 : EACCES;
	case SYS_clone: case SYS_fork: case SYS_vfork: return EAGAIN;
	case SYS_wait4: return ECHILD;
	case SYS_brk: return 0;
	}
	return ENOSYS;
}

long __strata_syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	struct status *status = (struct status *)b;
	switch (n) {
	case SYS_read: case SYS_readv: case SYS_pread: case SYS_preadv: return read_call(n, a, b, c, d);
	case SYS_write: case SYS_writev: case SYS_pwrite: case SYS_pwritev: return write_call(n, a, b, c, d);
	case SYS_close: return close_call(a);
	case SYS_dup2: case SYS_dup3: return replace(n, a, b, c);
	case SYS_ftruncate: return fails(TRUNCATE) ? EIO : real(n, a, b, c);
	case SYS_getcwd: return fails(GETCWD) ? ERANGE : real(n, a, b, c);
	case SYS_lseek: return seek(a, b, c);
	case SYS_getdents64: return entries(a, (char *)b, c);
	case SYS_open: return open_at(AT_FDCWD, (char *)a, b, c);
	case SYS_openat: return open_at(a, (char *)b, c, d);
	case SYS_stat: return status_at(AT_FDCWD, (char *)a, status, 0);
	case SYS_lstat: return status_at(AT_FDCWD, (char *)a, status, 0x100);
	case SYS_newfstatat: return status_at(a, (char *)b, (struct status *)c, d);
	case SYS_fstat: return told(real(n, a, b, 0), status, is_socket(a));
	case SYS_access: return access_at(AT_FDCWD, (char *)a, b);
	case SYS_faccessat: return access_at(a, (char *)b, c);
	case SYS_chown: case SYS_lchown: case SYS_fchown: return own(real(n, a, -1, -1), b, c);
	case SYS_fchownat: return own(__strata_kernel6(n, a, b, -1, -1, e, 0), c, d);
	case SYS_statfs: case SYS_fstatfs: return file_system(real(n, a, b, 0), (uint64_t *)b);
	case SYS_clock_gettime: case SYS_gettimeofday: {
		long *to = n == SYS_gettimeofday ? (long *)a : (long *)b, from = n == SYS_gettimeofday ? START : since(a);
		if (from < 0) return EINVAL;
		if (!to) return EFAULT;
		long t = look();
		to[0] = from + t / SECOND;
		to[1] = n == SYS_gettimeofday ? t % SECOND / 1000 : t % SECOND;
		return 0;
	}
	case SYS_clock_getres:
		if (since(a) < 0) return EINVAL;
		if (b) ((long *)b)[0] = 0, ((long *)b)[1] = 1;
		return 0;
	case SYS_time: {
		long t = START + look() / SECOND;
		if (a) *(long *)a = t;
		return t;
	}
	case SYS_times:
		if (a) clear((void *)a, 32);
		return 100000 + look() / (SECOND / 100);
	case SYS_getrusage:
		if ((int)a < -1 || (int)a > 1) return EINVAL;
		clear((void *)b, 144);
		return 0;
	case SYS_nanosleep: return sleep_for((long *)a);
	case SYS_clock_nanosleep: {
		long from = since(a), *span = (long *)c;
		if (from < 0) return EINVAL;
		if (!(b & 1)) return sleep_for(span);
		if (span[1] < 0 || span[1] >= SECOND || span[0] < 0) return EINVAL;
		long rest = (span[0] - from) * SECOND + span[1] - now;
		return pass(rest > 0 ? rest : 0);
	}
	case SYS_pause: return until_signal();
	case SYS_alarm: {
		long rest = (left() + SECOND - 1) / SECOND;
		set_alarm((long)(uint32_t)a * SECOND);
		return rest;
	}
	case SYS_setitimer: return a > 2 ? EINVAL : a ? ENOSYS : timer((long *)b, (long *)c);
	case SYS_getitimer:
		if (a > 2) return EINVAL;
		if (!a) return timer(0, (long *)b);
		clear((void *)b, 32);
		return 0;
	case SYS_poll: return poll_call(a, b, (int)c < 0 ? -1 : (long)(int)c * 1000000);
	case SYS_ppoll: return poll_call(a, b, span_of((long *)c, 1));
	case SYS_select: return select_call(a, b, c, d, span_of((long *)e, 1000));
	case SYS_pselect6: return select_call(a, b, c, d, span_of((long *)e, 1));
	case SYS_kill: return kill_call(a, b);
	case SYS_tkill: return kill_thread(a, b);
	case SYS_tgkill: return (int)a == PROCESS ? kill_thread(b, c) : ESRCH;
	case SYS_rt_sigsuspend: {
		uint64_t waiting = 0;
		real(127, (long)&waiting, 8, 0);
		if (waiting & ~*(uint64_t *)a) return real(n, a, b, c);
		if (!alarm_at || alarm_ignored()) waits();
		/* Blocked until the kernel lets go of the mask, so that it comes in there. */
		uint64_t mask = 1 << 13, before;
		__strata_kernel6(SYS_rt_sigprocmask, 0, (long)&mask, (long)&before, 8, 0, 0);
		raise_alarm();
		long r = real(n, a, b, c);
		__strata_kernel6(SYS_rt_sigprocmask, 2, (long)&before, 0, 8, 0, 0);
		return r;
	}
	case SYS_uname: return name_system((char *)a);
	case SYS_sysinfo: {
		clear((void *)a, 112);
		uint64_t *to = (uint64_t *)a;
		to[0] = 1000, to[4] = 4L << 30, to[5] = 2L << 30;
		((char *)a)[80] = 1;
		((char *)a)[104] = 1;
		return 0;
	}
	case SYS_sched_getaffinity:
		if ((unsigned long)b < 8 || b % 8) return EINVAL;
		*(uint64_t *)c = 1;
		return 8;
	case SYS_getrlimit: return limit(a, 0, (uint64_t *)b);
	case SYS_setrlimit: return limit(a, (uint64_t *)b, 0);
	case SYS_prlimit64: return a && a != PROCESS ? ESRCH : limit(b, (uint64_t *)c, (uint64_t *)d);
	case SYS_getrandom:
		for (long i = 0; i < b; i++) ((char *)a)[i] = (char)(i * 0x9d);
		return b;
	case SYS_execve: case SYS_execveat:
		if (!*(char *)(n == SYS_execve ? a : b)) return ENOENT;
		__strata_end_exit(END_SILENT, 0, "it became another program", 0, 0);
	case SYS_mremap: return -12;
	case SYS_msync: case SYS_sync: return 0;
	case SYS_vhangup: case SYS_pivot_root: case SYS_acct: case SYS_settimeofday: case SYS_mount: case SYS_umount2: case SYS_swapon:
	case SYS_reboot: case SYS_setdomainname: return EPERM;
	case SYS_socket: return make_socket(a, b);
	case SYS_connect: case SYS_accept: case SYS_accept4: case SYS_sendto: case SYS_recvfrom: case SYS_sendmsg:
	case SYS_recvmsg: case SYS_shutdown: case SYS_bind: case SYS_listen: case SYS_getsockname: case SYS_getpeername:
	case SYS_setsockopt: case SYS_getsockopt: return socket_call(n, a, b, c, d, e, f);
	case SYS_getpid: case SYS_gettid: case SYS_getpgrp: case SYS_set_tid_address: case SYS_getppid: case SYS_getuid:
	case SYS_geteuid: case SYS_getgid: case SYS_getegid: case SYS_setuid: case SYS_setgid: case SYS_setreuid:
	case SYS_setregid: case SYS_setresuid: case SYS_setresgid: case SYS_getresuid: case SYS_getresgid: case SYS_getpgid:
	case SYS_getsid: case SYS_getgroups: case SYS_setpgid: case SYS_setsid: case SYS_setgroups: case SYS_chroot:
	case SYS_sethostname: case SYS_clock_settime: case SYS_getpriority: case SYS_setpriority: case SYS_clone: case SYS_fork:
	case SYS_vfork: case SYS_wait4: case SYS_brk: return numbers(n, a, b, c);
	}
	if (n >= SYS_setxattr && n <= SYS_fremovexattr) return EOPNOTSUPP;
	return __strata_kernel6(n, a, b, c, d, e, f);
}
