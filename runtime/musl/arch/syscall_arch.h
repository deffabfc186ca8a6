/* The border to the kernel: every system call of musl goes through one function. The engine takes it as a hook, the native
 * program has it in assembler. Without VDSO_USEFUL the clock is a system call, too, and so under the engine's control. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long __strata_syscall6(long n, long a, long b, long c, long d, long e, long f);

static __inline long __syscall0(long n)
{
	return __strata_syscall6(n, 0, 0, 0, 0, 0, 0);
}

static __inline long __syscall1(long n, long a)
{
	return __strata_syscall6(n, a, 0, 0, 0, 0, 0);
}

static __inline long __syscall2(long n, long a, long b)
{
	return __strata_syscall6(n, a, b, 0, 0, 0, 0);
}

static __inline long __syscall3(long n, long a, long b, long c)
{
	return __strata_syscall6(n, a, b, c, 0, 0, 0);
}

static __inline long __syscall4(long n, long a, long b, long c, long d)
{
	return __strata_syscall6(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long n, long a, long b, long c, long d, long e)
{
	return __strata_syscall6(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	return __strata_syscall6(n, a, b, c, d, e, f);
}

#define IPC_64 0
