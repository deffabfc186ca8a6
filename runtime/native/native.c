/* A native program's side of the intrinsics: it reads the test, follows the branches, and says how it ended. */
#include "native.h"

void _start_c(long *stack);

static struct report unread;
struct report *__strata_report = &unread;

/* ---- how it ends ---- */


static int same(const char *a, size_t n, const char *b)
{
	for (size_t i = 0; i < n; i++) if (!b[i] || a[i] != b[i]) return 0;
	return !b[n];
}

/* Into the report if somebody reads it, otherwise to standard error: what a program prints is compared, and this is not the program's. */
static void record(enum end kind, const char *const *parts)
{
	struct report *r = __strata_report;
	r->end_kind = kind;
	size_t at = 0;
	for (int i = 0; i < 3; i++) {
		for (const char *s = parts[i]; s && *s && at < sizeof r->message - 1; s++) r->message[at++] = *s;
	}
	r->message[at] = 0;
	if (r == &unread && at) {
		call(SYS_write, 2, (long)r->message, (long)at);
		call(SYS_write, 2, (long)"\n", 1);
	}
}

_Noreturn void __strata_end_exit(enum end kind, int status, const char *first, const char *second, const char *third)
{
	record(kind, (const char *const[]){ first, second, third });
	for (;;) call(SYS_exit_group, status, 0, 0);
}

/* As abort() ends a program, but without what the program may have done to the signal. */
_Noreturn void __strata_end_abort(enum end kind, const char *first, const char *second, const char *third)
{
	record(kind, (const char *const[]){ first, second, third });
	struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } by_default = { 0 };
	__strata_kernel6(SYS_rt_sigaction, 6, (long)&by_default, 0, 8, 0, 0);
	unsigned long abort_only = 1UL << 5;
	__strata_kernel6(SYS_rt_sigprocmask, 1, (long)&abort_only, 0, 8, 0, 0);
	call(SYS_kill, call(SYS_getpid, 0, 0, 0), 6, 0);
	for (;;) call(SYS_exit_group, 127, 0, 0);
}

/* ---- branches ---- */

/* hash = rotate_left((hash ^ (site * 2^16 + side)) * 0x9E3779B97F4A7C15, 23), starting from 0, all modulo 2^64; site and side as unsigned
 * 32-bit numbers. The engine computes the same for the path that it predicts. */
void __strata_trace(uint32_t site, uint32_t side)
{
	struct report *r = __strata_report;
	uint64_t h = (r->hash ^ ((uint64_t)site * 65536 + side)) * 0x9E3779B97F4A7C15;
	r->hash = h << 23 | h >> 41;
	if (++r->count == r->stop_at) r->hash_at_stop = r->hash;
	if (r->leave && r->count > r->stop_at) __strata_end_exit(END_LEFT, STATUS_LEFT, 0, 0, 0);
}

/* ---- the test ---- */

static const unsigned char *test, *test_end, *words, *objects;
static uint32_t objects_left, word_count, object_count;

static _Noreturn void broken(void)
{
	__strata_end_exit(END_UNFIT, STATUS_UNFIT, "test does not fit: it is no .ktest file", 0, 0);
}

static uint32_t number(void)
{
	if (test_end - test < 4) broken();
	uint32_t n = (uint32_t)test[0] << 24 | test[1] << 16 | test[2] << 8 | test[3];
	test += 4;
	return n;
}

static const char *bytes(uint32_t n)
{
	if (test_end - test < n) broken();
	test += n;
	return (const char *)test - n;
}

/* Objects that the environment made (arguments, files), as KLEE names them: the one who starts the program has served those. */
static int environment(const char *name, size_t n)
{
	static const char *const exact[] = { "model_version", "n_args", "stdin", "stdin_stat", "stdin-stat", "stdin_data", "stdin-data", "stdin_data_stat", "stdin-data-stat",
		"stdout", "stdout_stat", "stdout-stat", "stdout-data",
		"read_fail", "write_fail", "close_fail", "ftruncate_fail", "getcwd_fail", "short_read" };
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) if (same(name, n, exact[i])) return 1;
	if (n > 3 && same(name, 3, "arg")) {
		size_t i = 3;
		while (i < n && name[i] >= '0' && name[i] <= '9') i++;
		return i == n;
	}
	return n >= 6 && name[0] >= 'A' && name[0] <= 'Z'
		&& (same(name + 1, n - 1, "_data") || same(name + 1, n - 1, "_data_stat") || same(name + 1, n - 1, "-data") || same(name + 1, n - 1, "-data-stat"));
}

/* The file as a whole: from whatever is open, a file or a pipe. Runs before anything of the program does. */
static void read_test(void)
{
	size_t room = 1 << 16, used = 0;
	unsigned char *buffer = map(0, room, PROT_READ | PROT_WRITE, 0);
	for (;;) {
		long n = buffer ? call(SYS_read, TEST_DESCRIPTOR, (long)(buffer + used), (long)(room - used)) : -1;
		if (n <= 0) break;
		used += (size_t)n;
		if (used < room) continue;
		unsigned char *larger = map(0, 2 * room, PROT_READ | PROT_WRITE, 0);
		for (size_t i = 0; larger && i < used; i++) larger[i] = buffer[i];
		call(SYS_munmap, (long)buffer, (long)room, 0);
		buffer = larger;
		room *= 2;
	}
	if (call(SYS_close, TEST_DESCRIPTOR, 0, 0) < 0) return;
	test = buffer;
	test_end = buffer + (buffer ? used : 0);
	if (!same(bytes(5), 5, "KTEST") && !same((const char *)test - 5, 5, "BOUT\n")) broken();
	uint32_t version = number();
	word_count = number();
	words = test;
	for (uint32_t n = word_count; n; n--) bytes(number());
	if (version >= 2) bytes(8);
	object_count = objects_left = number();
	objects = test;
	for (uint32_t n = object_count; n; n--) {
		uint32_t length = number();
		const char *name = bytes(length);
		bytes(number());
		__strata_report->unasked += !environment(name, length);
	}
	test = objects;
}

const unsigned char *__strata_object(const char *name, size_t *size)
{
	const unsigned char *before = test, *found = 0;
	test = objects;
	for (uint32_t n = object_count; test && n && !found; n--) {
		uint32_t length = number();
		const char *known = bytes(length);
		*size = number();
		const char *contents = bytes(*size);
		if (same(known, length, name)) found = (const unsigned char *)contents;
	}
	test = before;
	return found;
}

int __strata_option(const char *name)
{
	const unsigned char *before = test;
	int value = -1, next = 0;
	test = words;
	for (uint32_t n = word_count; test && n; n--) {
		uint32_t length = number();
		const char *word = bytes(length);
		if (next) {
			value = 0;
			for (uint32_t i = 0; i < length; i++) value = value * 10 + word[i] - '0';
		}
		uint32_t dashes = length > 1 && word[0] == '-' ? word[1] == '-' ? 2 : 1 : 0;
		next = dashes && same(word + dashes, length - dashes, name);
	}
	test = before;
	return value;
}

void klee_make_symbolic(void *object, size_t size, const char *name)
{
	if (!test) {
		__strata_end_exit(END_NO_TEST, STATUS_NO_TEST, "no test was given, and the program asks for the input \"", name, "\"");
	}
	if (!name || !*name) name = "unnamed";
	while (objects_left) {
		objects_left--;
		uint32_t n = number();
		const char *found = bytes(n);
		uint32_t found_size = number();
		const char *contents = bytes(found_size);
		if (!same(found, n, name)) {
			if (environment(found, n)) continue;
			__strata_end_exit(END_UNFIT, STATUS_UNFIT, "test does not fit: it has another input where the program asks for \"", name, "\"");
		}
		if (found_size != size) {
			__strata_end_exit(END_UNFIT, STATUS_UNFIT, "test does not fit: another size of \"", name, "\"");
		}
		for (size_t i = 0; i < size; i++) ((volatile char *)object)[i] = contents[i];
		if (!environment(found, n)) __strata_report->unasked--;
		return;
	}
	__strata_end_exit(END_UNFIT, STATUS_UNFIT, "test does not fit: it has no input left for \"", name, "\"");
}

/* ---- the other intrinsics ---- */

/* As the engine answers. */
long __strata_clone(long flags)
{
	return flags & 0x10000 ? -38 /* a thread: ENOSYS */ : -11 /* a process: EAGAIN */;
}

void klee_assume(uintptr_t condition)
{
	if (condition) return;
	__strata_report->assume_failed = 1;
	__strata_end_exit(END_ASSUME, STATUS_ASSUME, "an assumption does not hold", 0, 0);
}

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	__strata_end_abort(END_REPORT, suffix, ": ", message);
}

_Noreturn void klee_abort(void)
{
	__strata_end_abort(END_ABORT, 0, 0, 0);
}

_Noreturn void klee_silent_exit(int status)
{
	__strata_end_exit(END_SILENT, status, 0, 0, 0);
}

unsigned klee_is_symbolic(uintptr_t value)
{
	return 0;
}

unsigned klee_is_replay(void)
{
	return 1;
}

int64_t klee_get_value_i64(int64_t value)
{
	return value;
}

/* Known of heap blocks alone. */
size_t klee_get_obj_size(void *object)
{
	return __strata_block_size(object);
}

/* An access to each page, and the last byte: what cannot be accessed faults. */
void klee_check_memory_access(const void *address, size_t size)
{
	const volatile char *p = address;
	for (size_t i = 0; i < size; i += 4096) (void)p[i];
	if (size) (void)p[size - 1];
}

void klee_define_fixed_object(void *address, size_t size)
{
	uintptr_t begin = (uintptr_t)address & -4096, end = ((uintptr_t)address + size + 4095) & -4096;
	map((void *)begin, end - begin, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
}

void klee_prefer_cex(void *object, uintptr_t condition) {}
void klee_posix_prefer_cex(void *object, uintptr_t condition) {}
void klee_mark_global(void *object) {}
void klee_set_forking(unsigned enable) {}
void klee_alias_function(const char *from, const char *to) {}
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_print_expr(const char *message, ...) {}
void klee_print_range(const char *name, int value) {}
void klee_stack_trace(void) {}
void klee_warning(const char *message) {}
void klee_warning_once(const char *message) {}

/* ---- what libc asks for: nothing is symbolic here ---- */

int __strata_may_defer(int fd, const char *format, void *ap)
{
	return 0;
}

void __strata_print(int fd, const char *format, void *ap) {}

int __strata_may_defer_string(int fd, const char *s)
{
	return 0;
}

void __strata_print_string(int fd, const char *s) {}

/* ---- where it begins ---- */

static void open_report(void)
{
	long p = __strata_kernel6(SYS_mmap, 0, REPORT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, REPORT_DESCRIPTOR, 0);
	if (p < 0 && p > -4096) return;
	call(SYS_close, REPORT_DESCRIPTOR, 0, 0);
	if (((struct report *)p)->magic == REPORT_MAGIC) __strata_report = (struct report *)p;
}

/* The kernel's own code in the program's memory would tell the real time: nobody finds it. The random bytes are the modelled ones. */
static void hide_machine(long *stack)
{
	enum { IGNORE = 1, RANDOM = 25, SYSTEM_CODE = 33 };
	long *p = stack + 1 + stack[0] + 1;
	while (*p) p++;
	for (p++; p[0]; p += 2) {
		if (p[0] == SYSTEM_CODE) p[0] = IGNORE;
		if (p[0] == RANDOM) for (int i = 0; i < 16; i++) ((char *)p[1])[i] = 0x5a;
	}
}

/* A text of this length moves to a place of its own, before a page that cannot be accessed. Where there is no memory, it stays. Behind its end lie the other
 * bytes, or, so that it shows if one is read, a zero for what is none and something for a zero. */
static void move_apart(char **text, size_t length, const unsigned char *bytes, size_t size)
{
	size_t alignment = modelled_alignment(size), pages = (size + alignment + 4095) & -4096UL;
	char *begin = map(0, pages + 4096, PROT_READ | PROT_WRITE, 0);
	if (!begin) return;
	call(SYS_mprotect, (long)(begin + pages), 4096, PROT_NONE);
	char *to = (char *)((uintptr_t)(begin + pages - size) & -alignment);
	int padded = __strata_report->placing == PLACING_PADDED;
	for (size_t i = 0; i < size; i++) to[i] = (char)(i < length || padded ? bytes[i] : bytes[i] ? 0 : 0xff);
	*text = to;
}

/* The whole object of the test that an argument is the beginning of, if it is the one of this number. */
static const unsigned char *whole_object(const char *text, size_t length, int number, size_t *size)
{
	char name[] = { 'a', 'r', 'g', (char)('0' + number / 10), (char)('0' + number % 10), 0 };
	const unsigned char *object = __strata_object(name, size);
	return object && *size >= length && !object[length - 1] && same((const char *)object, length - 1, text) ? object : 0;
}

/* Arguments and environment as the engine has them; the kernel's lie one behind the other. Symbolic arguments come in the order of their numbers: a plain
 * word that is the same as the next of them is taken for it. */
static void place_texts(long *stack)
{
	char **texts = (char **)(stack + 1);
	int number = 0;
	for (long i = 0; i <= stack[0] || texts[i]; i++) {
		if (!texts[i]) continue;
		size_t length = 1, size = 0;
		while (texts[i][length - 1]) length++;
		int argument = i && i < stack[0] && number < 100;
		const unsigned char *whole = argument ? whole_object(texts[i], length, number, &size) : 0;
		number += whole != 0;
		move_apart(&texts[i], length, whole ? whole : (unsigned char *)texts[i], whole ? size : length);
	}
}

_Noreturn void __strata_native_start(long *stack)
{
	hide_machine(stack);
	open_report();
	read_test();
	if (__strata_report->placing != PLACING_GUARDED) place_texts(stack);
	__strata_place_symbols();
	__strata_kernel_start();
	_start_c(stack);
	__builtin_trap();
}
