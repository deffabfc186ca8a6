# What a native program needs that is no C: where it begins, system calls, the thread pointer, setjmp and its kin.
# x86-64, System V calling convention.

	.text

# The kernel enters here with argc, the arguments, the environment and the auxiliary vector on the stack.
	.globl	_start
	.type	_start, @function
_start:
	xorl	%ebp, %ebp
	movq	%rsp, %rdi
	andq	$-16, %rsp
	call	__strata_native_start
	hlt
	.size	_start, .-_start

# long __strata_kernel6(long n, long a, long b, long c, long d, long e, long f): the machine's own kernel
	.globl	__strata_kernel6
	.type	__strata_kernel6, @function
__strata_kernel6:
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
	ret
	.size	__strata_kernel6, .-__strata_kernel6

# uintptr_t __strata_get_tp(void): the first word of the block is its own address.
	.globl	__strata_get_tp
	.type	__strata_get_tp, @function
__strata_get_tp:
	movq	%fs:0, %rax
	ret
	.size	__strata_get_tp, .-__strata_get_tp

# long __strata_set_tp(uintptr_t p): arch_prctl(ARCH_SET_FS, p)
	.globl	__strata_set_tp
	.type	__strata_set_tp, @function
__strata_set_tp:
	movq	%rdi, %rsi
	movl	$0x1002, %edi
	movl	$158, %eax
	syscall
	ret
	.size	__strata_set_tp, .-__strata_set_tp

# int setjmp(jmp_buf): the registers that a callee keeps, the stack as it is after the return, and where that goes. The word after
# these eight says whether a mask of signals follows: see sigsetjmp.
	.globl	setjmp
	.globl	_setjmp
	.globl	__setjmp
	.type	setjmp, @function
	.type	_setjmp, @function
	.type	__setjmp, @function
setjmp:
_setjmp:
__setjmp:
	movq	$0, 64(%rdi)
.Lregisters:
	leaq	8(%rsp), %rdx
	movq	(%rsp), %rcx
	movq	%rbx, 0(%rdi)
	movq	%rbp, 8(%rdi)
	movq	%r12, 16(%rdi)
	movq	%r13, 24(%rdi)
	movq	%r14, 32(%rdi)
	movq	%r15, 40(%rdi)
	movq	%rdx, 48(%rdi)
	movq	%rcx, 56(%rdi)
	xorl	%eax, %eax
	ret
	.size	setjmp, .-setjmp

# void longjmp(jmp_buf, int): returns from setjmp again, with the value, or with 1 instead of 0. If the buffer was filled by sigsetjmp with a
# mask (its flag is the word after the registers), the mask of signals is restored: rt_sigprocmask(SIG_SETMASK, &mask, 0, 8).
	.globl	longjmp
	.globl	_longjmp
	.type	longjmp, @function
	.type	_longjmp, @function
longjmp:
_longjmp:
	movl	%esi, %ebx
	movq	%rdi, %r12
	movq	64(%rdi), %rax
	movabsq	$0x5354524154413a29, %rcx
	cmpq	%rcx, %rax
	jne	1f
	movl	$2, %edi
	leaq	72(%r12), %rsi
	xorl	%edx, %edx
	movl	$8, %r10d
	movl	$14, %eax
	syscall
1:	movq	%r12, %rdi
	movl	%ebx, %eax
	testl	%eax, %eax
	jne	2f
	incl	%eax
2:	movq	0(%rdi), %rbx
	movq	8(%rdi), %rbp
	movq	16(%rdi), %r12
	movq	24(%rdi), %r13
	movq	32(%rdi), %r14
	movq	40(%rdi), %r15
	movq	48(%rdi), %rsp
	jmpq	*56(%rdi)
	.size	longjmp, .-longjmp

# int sigsetjmp(sigjmp_buf, int save): setjmp, with the mask of signals saved beside the registers on request:
# rt_sigprocmask(SIG_BLOCK, 0, &mask, 8). A word with a value of its own says so.
	.globl	sigsetjmp
	.globl	__sigsetjmp
	.type	sigsetjmp, @function
	.type	__sigsetjmp, @function
sigsetjmp:
__sigsetjmp:
	testl	%esi, %esi
	je	setjmp
	movabsq	$0x5354524154413a29, %rcx
	movq	%rcx, 64(%rdi)
	movq	%rdi, %r8
	xorl	%edi, %edi
	xorl	%esi, %esi
	leaq	72(%r8), %rdx
	movl	$8, %r10d
	movl	$14, %eax
	syscall
	movq	%r8, %rdi
	jmp	.Lregisters
	.size	sigsetjmp, .-sigsetjmp

# Where a signal handler returns to: rt_sigreturn.
	.globl	__restore_rt
	.type	__restore_rt, @function
__restore_rt:
	movl	$15, %eax
	syscall
	hlt
	.size	__restore_rt, .-__restore_rt

	.section	.note.GNU-stack, "", @progbits
