# Where the bitcode of a program is, filled in after linking: the SHA-256 of the file and its path, ended by 0. A note is loaded, so it
# survives strip; whoever copies the program elsewhere still finds its bitcode.

	.section	.note.strata, "a", @note
	.balign	4
	.long	7
	.long	1056
	.long	1
	.asciz	"Strata"
	.balign	4
	.zero	1056

	.section	.note.GNU-stack, "", @progbits
