# int __clone(int (*f)(void *), void *stack, int flags, void *argument, int *parent, void *thread_pointer, int *child)
# x86-64, System V calling convention. The new thread finds f and its argument on its own stack.

	.text
	.globl	__clone
	.type	__clone, @function
__clone:
	andq	$-16, %rsi
	subq	$16, %rsi
	movq	%rdi, 0(%rsi)
	movq	%rcx, 8(%rsi)
	movl	%edx, %edi
	movq	%r8, %rdx
	movq	%r9, %r8
	movq	8(%rsp), %r10
	movl	$56, %eax
	syscall
	testq	%rax, %rax
	jne	1f
	xorl	%ebp, %ebp
	popq	%rax
	popq	%rdi
	call	*%rax
	movl	%eax, %edi
	movl	$60, %eax
	syscall
	hlt
1:	ret
	.size	__clone, .-__clone

	.section	.note.GNU-stack, "", @progbits
