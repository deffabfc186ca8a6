/* What the C library asks of whoever runs it. The engine provides these functions as hooks; in a native program they are in runtime/native.
 *
 * Besides: the malloc family (malloc, calloc, realloc, free, memalign, aligned_alloc, posix_memalign, reallocarray,
 * malloc_usable_size), setjmp, _setjmp, __setjmp, sigsetjmp, __sigsetjmp, longjmp, _longjmp, and __restore_rt, of which only the address
 * is taken (signal handlers return through it).
 */
#ifndef STRATA_HOOKS_H
#define STRATA_HOOKS_H

#include <stddef.h>
#include <stdint.h>

/* A Linux system call by its x86-64 number: the result, or the negated error number. */
long __strata_syscall6(long n, long a, long b, long c, long d, long e, long f);

/* The thread pointer: what was set last, which is the address of musl's struct pthread. set_tp returns 0. */
uintptr_t __strata_get_tp(void);
long __strata_set_tp(uintptr_t p);

/* A thread or process is to be made, with these flags of clone: the result is a negated error number, since there is only one thread. */
long __strata_clone(long flags);

/* printf and its kin on a stream with a descriptor. `ap` points to a copy of the va_list (the x86-64 layout), which the hook may read but need not
 * advance.
 *
 * __strata_may_defer returns 1 if printing need not run as code, that is, only if
 *  - a value that the format prints is symbolic (a number, or a byte of a string before its end; precisions and widths must be
 *    concrete, and the format understood in full: no %n, no floating point that is symbolic),
 *  - nobody uses the length: the result of the outermost print function of the call stack (printf, fprintf, vprintf, vfprintf,
 *    dprintf, vdprintf, and functions of the library that print) is not used by its caller,
 *  - what is written to `fd` is not read back by the program.
 * Otherwise it returns 0 and has no effect. It never forks.
 *
 * __strata_print, called only after a 1 with the same arguments, appends the text to what was written to `fd`: format and arguments
 * as they are now (strings included, they may change later), to be filled in from each test's input.
 */
int __strata_may_defer(int fd, const char *format, void *ap);
void __strata_print(int fd, const char *format, void *ap);

/* The same for fputs and puts, whose results carry no length: 1 if a byte before the string's end is symbolic and `fd` is not read
 * back. The end is the first byte that is zero: where it depends on the input, so does the text. */
int __strata_may_defer_string(int fd, const char *s);
void __strata_print_string(int fd, const char *s);

#endif
