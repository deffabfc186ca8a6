/* A program that follows the protocol of replay by hand and does what its first argument says. No C library, so that what is tested is
   the sandbox: cc -static -nostdlib. Exits 0 or with the error number of what it tried. */
typedef unsigned long u64;

static long call(long n, long a, long b, long c, long d, long e) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#define CALL(n, ...) CALL_(n, ##__VA_ARGS__, 0, 0, 0, 0, 0)
#define CALL_(n, a, b, c, d, e, ...) call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
enum { READ = 0, WRITE = 1, OPEN = 2, CLOSE = 3, MMAP = 9, IOCTL = 16, PAUSE = 34, GETPID = 39, SOCKET = 41, CLONE = 56, FORK = 57, VFORK = 58,
       EXECVE = 59, KILL = 62, FCNTL = 72, FTRUNCATE = 77, MKDIR = 83, CHROOT = 161, MOUNT = 165, GETUID = 102, PTRACE = 101, GETPPID = 110,
       GETDENTS = 217, EXIT = 231, UNSHARE = 272, EXECVEAT = 322, IO_URING = 425, SIGACTION = 13, DUP2 = 33, SYMLINK = 88, CHMOD = 90, MKNOD = 133, PRLIMIT = 302 };

static struct page {
    u64 magic, stop_at, count, hash, hash_at_stop, assume_failed, end_kind;
    char message[256];
} *page;

static u64 length(const char *text) {
    u64 n = 0;
    while (text[n]) n++;
    return n;
}
static int same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}
static void print(int fd, const char *text) { CALL(WRITE, fd, text, length(text)); }
static long self(void) { return CALL(GETPID); }
static void leave(long status) { CALL(EXIT, status); }
/* The error number of a system call that was expected to fail; 0 if it did not. */
static void expect(long result) { leave(result < 0 ? -result : 0); }
static void branch(u64 which) {
    page->hash = (page->hash ^ which) * 0x100000001b3ul;
    if (++page->count == page->stop_at) page->hash_at_stop = page->hash;
}

static void run(const char *what, long argc, char **argv) {
    static char buffer[1 << 16];
    if (same(what, "exit")) leave(argv[2][0] - '0');
    if (same(what, "branches")) {
        for (int i = 1; i <= argv[2][0] - '0'; i++) branch(i);
        print(1, "out\n");
        print(2, "err\n");
        leave(3);
    }
    if (same(what, "segv")) *(volatile int *)8 = 1;
    if (same(what, "div")) { volatile int zero = 0; leave(7 / zero); }
    if (same(what, "abort")) { branch(1); print(1, "before"); CALL(KILL, self(), 6); leave(99); }
    if (same(what, "pipe")) { CALL(KILL, self(), 13); leave(99); }
    if (same(what, "cat")) {
        long n;
        while ((n = CALL(READ, 0, buffer, sizeof buffer)) > 0) CALL(WRITE, 1, buffer, n);
        leave(0);
    }
    if (same(what, "test")) {
        long n = CALL(READ, 198, buffer, sizeof buffer);
        CALL(WRITE, 1, buffer, n);
        leave(0);
    }
    if (same(what, "arguments")) {
        for (long i = 0; i < argc; i++) print(1, argv[i]), print(1, ";");
        for (char **env = argv + argc + 1; *env; env++) print(1, *env);
        leave(argc);
    }
    if (same(what, "hang")) for (;;) CALL(PAUSE);
    if (same(what, "spin")) for (;;) ;
    if (same(what, "bomb")) {
        long failed = 0;
        for (int i = 0; i < 1000; i++) {
            long a = CALL(FORK), b = CALL(VFORK), c = CALL(CLONE, 17);
            if (a == 0 || b == 0 || c == 0) for (;;) CALL(PAUSE);
            failed += (a < 0) + (b < 0) + (c < 0);
        }
        leave(failed == 3000 ? 0 : 1);
    }
    if (same(what, "passwd")) expect(CALL(OPEN, "/etc/passwd", 0));
    if (same(what, "proc")) expect(CALL(OPEN, "/proc/self/maps", 0));
    if (same(what, "up")) expect(CALL(OPEN, "/../../../../../root/../etc", 0));
    if (same(what, "leave")) {
        long fd = CALL(OPEN, "/left", 0101, 0600);
        if (fd < 0) leave(-fd);
        if (CALL(WRITE, fd, "x", 1) != 1) leave(1);
        expect(CALL(MKDIR, "/folder", 0700));
    }
    if (same(what, "list")) {
        long fd = CALL(OPEN, "/", 0200000);
        long n = CALL(GETDENTS, fd, buffer, sizeof buffer);
        for (long at = 0; at < n; at += *(unsigned short *)(buffer + at + 16)) {
            const char *name = buffer + at + 19;
            if (!same(name, ".") && !same(name, "..")) print(1, name), print(1, ";");
        }
        leave(0);
    }
    if (same(what, "fill")) {
        long fd = CALL(OPEN, "/big", 0101, 0600), n = 0, total = 0;
        while ((n = CALL(WRITE, fd, buffer, sizeof buffer)) > 0 && total < (1l << 30)) total += n;
        expect(n);
    }
    if (same(what, "memory")) expect(CALL(MMAP, 0, 8l << 30, 3, 0x4022, -1));
    if (same(what, "network")) expect(CALL(SOCKET, 2, 1, 0));
    if (same(what, "local")) expect(CALL(SOCKET, 1, 1, 0));
    if (same(what, "exec")) { char *none[] = {0}; expect(CALL(EXECVE, "/bin/sh", none, none)); }
    if (same(what, "execveat")) { char *none[] = {0}; expect(CALL(EXECVEAT, 198, "", none, none, 0x1000)); }
    if (same(what, "mount")) expect(CALL(MOUNT, "x", "/", "tmpfs", 0, 0));
    if (same(what, "chroot")) expect(CALL(CHROOT, "/"));
    if (same(what, "unshare")) expect(CALL(UNSHARE, 0x10000000));
    if (same(what, "ptrace")) expect(CALL(PTRACE, 0));
    if (same(what, "uring")) expect(CALL(IO_URING, 1, buffer));
    if (same(what, "killall")) { CALL(KILL, 1, 9); CALL(KILL, -1, 9); leave(CALL(GETPPID) == 1 ? 0 : 1); }
    if (same(what, "limit of the supervisor")) {
        u64 limit[2] = {1, 1};
        expect(CALL(PRLIMIT, 1, 0, limit, 0));
    }
    if (same(what, "own limits")) {
        u64 core[2], files[2];
        if (CALL(PRLIMIT, 0, 4, 0, core) || CALL(PRLIMIT, 0, 7, 0, files)) leave(9);
        leave(core[0] != 1 || files[0] > 200);
    }
    if (same(what, "take the program's place")) {
        long fd = CALL(OPEN, "/other", 0102, 0700);
        expect(CALL(DUP2, fd, 200));
    }
    if (same(what, "leave things")) {
        CALL(SYMLINK, "/etc/passwd", "/kept/link");
        CALL(MKNOD, "/kept/pipe", 0010600, 0);
        CALL(OPEN, "/kept/plain", 0101, 0600);
        CALL(OPEN, "/kept/raised", 0101, 0700);
        leave(CALL(CHMOD, "/kept/raised", 06755) != 0);
    }
    if (same(what, "take memory") || same(what, "take memory silently")) {
        if (same(what, "take memory silently")) CALL(CLOSE, 1), CALL(CLOSE, 2);
        volatile char *all = (char *)CALL(MMAP, 0, 400l << 20, 3, 0x4022, -1);
        for (long i = 0; i < 400l << 20; i += 4096) all[i] = 1;
        for (;;) CALL(PAUSE);
    }
    if (same(what, "fill the folder")) {
        char name[] = "/kept/a";
        for (;; name[6] = name[6] == 'z' ? 'a' : name[6] + 1) {
            long fd = CALL(OPEN, name, 0101, 0600);
            for (int i = 0; i < 128; i++) CALL(WRITE, fd, buffer, sizeof buffer);
            CALL(CLOSE, fd);
        }
    }
    if (same(what, "uid")) leave(CALL(GETUID) == 0 ? 1 : 0);
    if (same(what, "descriptors")) {
        for (long fd = 0; fd < 1024; fd++)
            if (CALL(FCNTL, fd, 1) >= 0 && fd > 2 && fd != 198 && fd != 199) leave(1);
        leave(0);
    }
    if (same(what, "shrink")) { CALL(FTRUNCATE, 199, 0); CALL(FTRUNCATE, 198, 0); CALL(WRITE, 198, "xxx", 3); leave(0); }
    if (same(what, "much")) {
        for (u64 i = 0; i < sizeof buffer; i++) buffer[i] = 'm';
        for (int i = 0; i < 256; i++) CALL(WRITE, 1, buffer, sizeof buffer), CALL(WRITE, 2, buffer, sizeof buffer);
        leave(0);
    }
    if (same(what, "foreign")) {
        const char *text = "no object y in the test";
        for (u64 i = 0; i <= length(text); i++) page->message[i] = text[i];
        page->end_kind = 2;
        leave(2);
    }
    if (same(what, "addresses")) {
        u64 seen[] = {(u64)argv, (u64)CALL(MMAP, 0, 4096, 3, 0x22, -1)};
        CALL(WRITE, 1, seen, sizeof seen);
        leave(0);
    }
    if (same(what, "assume")) { page->assume_failed = 1; leave(0); }
    leave(98);
}

void begin(long *stack) {
    page = (struct page *)CALL(MMAP, 0, 4096, 3, 1, 199);
    if ((long)page < 0 && (long)page > -4096) leave(97);
    if (page->magic != 0x3174726f70657253ul || page->count || page->hash || page->end_kind) leave(96);
    run(stack[0] > 1 ? (char *)stack[2] : "none", stack[0], (char **)(stack + 1));
}
__asm__(".globl _start\n_start:\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n hlt\n");
