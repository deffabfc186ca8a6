/* What musl has in assembler for the thread pointer and for cancellation, in C. */
#include "pthread_impl.h"
#include "syscall.h"
#include "strata_hooks.h"

int __set_thread_area(void *p)
{
	return __strata_set_tp((uintptr_t)p);
}

/* The assembler marks the instructions between which a cancellation may strike. Threads do not run at the same time here, so the
 * range is empty and cancellation acts at the next call. */
hidden const char __cp_begin[1] = {0}, __cp_end[1] = {0}, __cp_cancel[1] = {0};

hidden long __syscall_cp_asm(volatile void *cancel, syscall_arg_t n, syscall_arg_t a, syscall_arg_t b,
	syscall_arg_t c, syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
	return __syscall(n, a, b, c, d, e, f);
}

/* A thread that ends unmaps the stack it stands on: with a kernel that is modelled, it just ends. */
hidden void __unmapself(void *base, size_t size)
{
	for (;;) __syscall(SYS_exit, 0);
}

/* musl's own answers ENOSYS in silence: here whoever runs the program hears of it. */
hidden int __clone(int (*func)(void *), void *stack, int flags, void *arg, ...)
{
	return (int)__strata_clone(flags);
}
