# An ordinary program speaks to the machine's own kernel: what runtime/native/kernel.c answers in its place is for tests alone.

	.text
	.globl	__strata_syscall6
	.type	__strata_syscall6, @function
__strata_syscall6:
	jmp	__strata_kernel6
	.size	__strata_syscall6, .-__strata_syscall6

	.globl	__strata_kernel_start
	.type	__strata_kernel_start, @function
__strata_kernel_start:
	ret
	.size	__strata_kernel_start, .-__strata_kernel_start

	.section	.note.GNU-stack, "", @progbits
