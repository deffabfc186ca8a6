/* The heap of an ordinary native program: blocks of a few sizes, kept in lists when they are free; large ones are mapped one by one.
 *
 * The heap of a replay (runtime/native) gives each block pages of its own, which is what finds errors and far too slow for a program that a build runs
 * (a test of configure, a generator). This one finds double frees and nothing else. Sizes go in quarters of powers of two: at most a fifth
 * is wasted. Memory of small blocks is never given back. */
#include "../native/native.h"

extern int *__errno_location(void) __attribute__((weak));

enum { SMALLEST = 32, CLASSES = 64, CHUNK = 1 << 18, LARGE = 1 << 17, PAGE = 4096 };

/* In front of each block, whose address is a multiple of 16. */
struct head {
	size_t size; /* room for the program */
	uint32_t mark;
	uint32_t class; /* of a small block; of an aligned one the distance to the block around it */
};

enum { SMALL = 0x534d4c31, MAPPED = 0x4d415031, ALIGNED = 0x414c4731, FREE = 0x46524531 };

static void *lists[CLASSES];
static char *fresh, *fresh_end;
static int locked;

static void lock(void)
{
	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) call(24 /* sched_yield */, 0, 0, 0);
}

static void unlock(void)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

static void *out_of_memory(void)
{
	if (__errno_location) *__errno_location() = 12;
	return 0;
}

static size_t size_of_class(uint32_t class)
{
	return (size_t)(4 + class % 4) << (class / 4) << 3;
}

/* The first class with so much room, its head included. */
static uint32_t class_of(size_t size)
{
	uint32_t class = 0;
	while (size_of_class(class) < size) class++;
	return class;
}

static struct head *head_of(void *p)
{
	return (struct head *)p - 1;
}

static void *begin(void *memory, size_t size, uint32_t mark, uint32_t class)
{
	struct head *head = memory;
	head->size = size - sizeof *head;
	head->mark = mark;
	head->class = class;
	return head + 1;
}

static void *mapped(size_t size)
{
	size_t whole = (size + sizeof(struct head) + PAGE - 1) & -(size_t)PAGE;
	void *memory = whole < size ? 0 : map(0, whole, PROT_READ | PROT_WRITE, 0);
	return memory ? begin(memory, whole, MAPPED, 0) : out_of_memory();
}

/* From the end of the last chunk; what is left over when a chunk does not do is lost. */
static char *cut(size_t size)
{
	if ((size_t)(fresh_end - fresh) < size) {
		char *chunk = map(0, CHUNK, PROT_READ | PROT_WRITE, 0);
		if (!chunk) return 0;
		fresh = chunk;
		fresh_end = chunk + CHUNK;
	}
	fresh += size;
	return fresh - size;
}

static void *small(size_t size, int *used)
{
	uint32_t class = class_of(size + sizeof(struct head));
	size_t whole = (size_of_class(class) + 15) & -(size_t)16;
	lock();
	void *p = lists[class];
	*used = p != 0;
	if (p) lists[class] = *(void **)p;
	char *memory = p ? (char *)head_of(p) : cut(whole);
	unlock();
	return memory ? begin(memory, whole, SMALL, class) : out_of_memory();
}

static void *allocate(size_t size, int *used)
{
	*used = 0;
	return size >= LARGE ? mapped(size) : small(size, used);
}

void *malloc(size_t size)
{
	int used;
	return allocate(size, &used);
}

static _Noreturn void wrong(const char *what)
{
	__strata_end_abort(END_HEAP, what, " of what is no block of the heap", 0);
}

void free(void *p)
{
	if (!p) return;
	struct head *head = head_of(p);
	switch (head->mark) {
	case SMALL:
		lock();
		head->mark = FREE;
		*(void **)p = lists[head->class];
		lists[head->class] = p;
		unlock();
		return;
	case MAPPED:
		call(SYS_munmap, (long)head, (long)(head->size + sizeof *head), 0);
		return;
	case ALIGNED:
		head->mark = FREE;
		free((char *)p - head->class);
		return;
	}
	wrong("free");
}

/* Not memset and memcpy, which the program may have of its own. */
static void copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void clear(void *to, size_t n)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
}

void *calloc(size_t count, size_t each)
{
	size_t size;
	int used;
	if (__builtin_mul_overflow(count, each, &size)) return out_of_memory();
	void *p = allocate(size, &used);
	if (p && used) clear(p, size);
	return p;
}

size_t malloc_usable_size(void *p)
{
	if (!p) return 0;
	struct head *head = head_of(p);
	if (head->mark != SMALL && head->mark != MAPPED && head->mark != ALIGNED) wrong("malloc_usable_size");
	return head->size;
}

void *realloc(void *old, size_t size)
{
	if (!old) return malloc(size);
	size_t had = malloc_usable_size(old);
	if (size <= had && size >= had / 4) return old;
	void *p = malloc(size);
	if (!p) return 0;
	copy(p, old, had < size ? had : size);
	free(old);
	return p;
}

void *reallocarray(void *old, size_t count, size_t each)
{
	size_t size;
	return __builtin_mul_overflow(count, each, &size) ? out_of_memory() : realloc(old, size);
}

static void *aligned(size_t alignment, size_t size)
{
	if (alignment <= 16) return malloc(size);
	size_t room;
	if (alignment > 1 << 30 || __builtin_add_overflow(size, alignment + sizeof(struct head), &room)) return out_of_memory();
	char *around = malloc(room);
	if (!around) return 0;
	char *p = (char *)(((uintptr_t)around + sizeof(struct head) + alignment - 1) & -alignment);
	size_t distance = (size_t)(p - around);
	begin(head_of(p), malloc_usable_size(around) - distance + sizeof(struct head), ALIGNED, (uint32_t)distance);
	return p;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	if (alignment && !(alignment & (alignment - 1))) return aligned(alignment, size);
	if (__errno_location) *__errno_location() = 22;
	return 0;
}

void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
	if (alignment < sizeof(void *) || alignment & (alignment - 1)) return 22;
	void *p = aligned(alignment, size);
	if (!p) return 12;
	*result = p;
	return 0;
}

size_t __strata_block_size(void *p)
{
	return 0;
}
