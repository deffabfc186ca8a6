/* Standard output without a buffer, as standard error has none.
 *
 * A buffered stream loses what it holds when the program crashes. What a path has printed would then depend on the length of every text before it,
 * and that length is not known where printing a symbolic value is deferred. Besides, a line buffer looks for line ends, which forks on symbolic
 * bytes. printf still writes its text at once (it brings a buffer of its own); a program that wants a buffer has setvbuf. */
#include "stdio_impl.h"

#undef stdout

static unsigned char buf[UNGET];
hidden FILE __stdout_FILE = {
	.buf = buf+UNGET,
	.buf_size = 0,
	.fd = 1,
	.flags = F_PERM | F_NORD,
	.lbf = -1,
	.write = __stdio_write,
	.seek = __stdio_seek,
	.close = __stdio_close,
	.lock = -1,
};
FILE *const stdout = &__stdout_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;
