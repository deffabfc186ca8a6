/* What the files of the native runtime share. It stands alone: no libc, which belongs to the program and may be cut down to what that uses.
 *
 * The program reads one test and writes one report, through two open descriptors that it closes before the program's own code
 * runs. It needs no file by name.
 *
 *   198  the test, a .ktest file (or none: then klee_make_symbolic ends the program)
 *   199  the report, a file of at least REPORT_SIZE bytes that is mapped shared; its reader fills in magic, stop_at, placing and leave, all else is 0
 */
#ifndef STRATA_NATIVE_H
#define STRATA_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#define TEST_DESCRIPTOR 198
#define REPORT_DESCRIPTOR 199
#define REPORT_SIZE 4096
#define REPORT_MAGIC 0x3174726f70657253 /* "Sreport1", little-endian */

/* Why the runtime, not the program, ended the run. */
enum end {
	END_OWN = 0,        /* it did not: the program ended by exit or by a signal of its own */
	END_ASSUME = 1,     /* klee_assume of a condition that does not hold */
	END_UNFIT = 2,      /* the test does not fit: another name, another size, or no object left */
	END_NO_TEST = 3,    /* klee_make_symbolic without a test */
	END_REPORT = 4,     /* klee_report_error */
	END_ABORT = 5,      /* klee_abort */
	END_SILENT = 6,     /* klee_silent_exit */
	END_HEAP = 7,       /* free or realloc of what is no block of the heap, or is free already */
	END_LEFT = 8,       /* all that was to be seen was: see leave */
};

/* Where the heap's blocks and the arguments lie. */
enum placing {
	PLACING_GUARDED = 0,    /* where errors show: blocks end at inaccessible pages; the arguments are the kernel's, one behind the other */
	PLACING_MODELLED = 1,   /* as the engine places them: all apart, at multiples of 16, large ones at multiples of MODELLED_PAGE */
	PLACING_PADDED = 2,     /* the same, and behind an argument's end lies what the test has there */
	PLACING_EXACT = 3,      /* arguments as before; the heap's blocks and the program's own local variables at the engine's very addresses */
};

/* Where the engine's objects begin, and how many bytes behind each belong to nobody. */
#define MODELLED_HEAP 0x0e0000000000
#define MODELLED_LOCALS 0x1e0000000000
#define MODELLED_GAP 16

#define MODELLED_PAGE 1024

/* Exit statuses of the ends that are no abort and carry none of their own. */
#define STATUS_ASSUME 121
#define STATUS_UNFIT 122
#define STATUS_NO_TEST 123
#define STATUS_LEFT 120

struct report {
	uint64_t magic;
	uint64_t stop_at;       /* after so many branches hash_at_stop is taken; 0: at none */
	uint64_t count;         /* branches taken */
	uint64_t hash;          /* over all of them */
	uint64_t hash_at_stop;
	uint64_t assume_failed; /* 1 after END_ASSUME */
	uint64_t end_kind;      /* enum end */
	char message[REPORT_SIZE - 10 * 8];
	uint64_t unasked;       /* inputs of the test that the program has not asked for yet */
	uint64_t placing;       /* enum placing */
	uint64_t leave;         /* 1: the program ends at the first branch beyond stop_at */
};

extern struct report *__strata_report;

/* A system call of the program, answered as the modelled kernel does; and one of the machine's kernel. */
long __strata_syscall6(long n, long a, long b, long c, long d, long e, long f);
long __strata_kernel6(long n, long a, long b, long c, long d, long e, long f);

/* Before the program's own code runs, after the test was read. */
void __strata_kernel_start(void);

/* The bytes of the test's first object of this name, or 0. */
const unsigned char *__strata_object(const char *name, size_t *size);

/* The number behind an option in the test's command line, or -1. */
int __strata_option(const char *name);

enum {
	SYS_read = 0, SYS_write = 1, SYS_close = 3, SYS_mmap = 9, SYS_mprotect = 10, SYS_munmap = 11, SYS_rt_sigaction = 13,
	SYS_rt_sigprocmask = 14, SYS_getpid = 39, SYS_kill = 62, SYS_exit_group = 231,
};

enum {
	PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 16, MAP_ANONYMOUS = 32,
	MAP_NORESERVE = 0x4000, MAP_FIXED_NOREPLACE = 0x100000,
};

static inline long call(long n, long a, long b, long c)
{
	return __strata_kernel6(n, a, b, c, 0, 0, 0);
}

/* Fresh memory, or 0. */
static inline void *map(void *where, size_t size, int protection, int flags)
{
	long p = __strata_kernel6(SYS_mmap, (long)where, (long)size, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return p < 0 && p > -4096 ? 0 : (void *)p;
}

/* Both record why. The message has up to three parts, any of which may be 0. */
_Noreturn void __strata_end_exit(enum end kind, int status, const char *first, const char *second, const char *third);
_Noreturn void __strata_end_abort(enum end kind, const char *first, const char *second, const char *third);

/* The size of a block of the heap, or 0. */
size_t __strata_block_size(void *p);

/* What the engine aligns an object of this size to. */
static inline size_t modelled_alignment(size_t size)
{
	return size > MODELLED_PAGE ? MODELLED_PAGE : 16;
}

/* A part of the engine's address space: the next free address, and up to where there is memory. */
struct region {
	uintptr_t next, end;
};

/* The engine's next object of a part, or 0 where there is no memory for it. It has MODELLED_GAP bytes before it that belong to nobody. */
static inline void *modelled_object(struct region *region, uintptr_t start, size_t size, size_t alignment)
{
	enum { PIECE = 1 << 20 };
	if (!region->next) *region = (struct region){ start, start - 4096 };
	size_t least = modelled_alignment(size);
	if (alignment < least) alignment = least;
	uintptr_t address = (region->next + alignment - 1) & -alignment, end = address + size + MODELLED_GAP;
	if (end > region->end) {
		size_t more = (end - region->end + PIECE - 1) & -(size_t)PIECE;
		if (!map((void *)region->end, more, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE)) return 0;
		region->end += more;
	}
	region->next = end;
	return (void *)address;
}

/* Functions and globals at the engine's addresses; before the program's own code runs. */
void __strata_place_symbols(void);

#endif
