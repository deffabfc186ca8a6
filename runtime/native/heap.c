/* The heap of a native program, built to make errors show.
 *
 * A block ends exactly at the end of a page with an inaccessible page behind, so that the first byte past it faults; so does every byte of a
 * freed block, whose addresses are never used again. Exactly: a block of 10 bytes is not aligned to 16. x86-64 accesses what is not aligned, and a type that
 * wants an alignment has a size that is a multiple of it, so blocks for such types have it.
 *
 * A program that asks where its blocks lie (word-wise string functions do) can be told by that from one in the engine. So there is another way to
 * place them, PLACING_MODELLED: aligned as the engine's, and up to 15 bytes (of large blocks 1023) away from the page behind them.
 *
 * And there is PLACING_EXACT, for programs that hash, order or print addresses, or have some in their input: the engine's very addresses, one block behind the
 * other. There a program that errs need not die.
 *
 * The guarded ways cost a page and two system calls each. After GUARDED_BLOCKS of them further small blocks come from plain lists by size, which is
 * all that a program can want that allocates so much. Memory is 0 in fresh blocks of both kinds; reused plain blocks keep what was in them.
 */
#include "native.h"

#define PAGE 4096UL
#define GUARDED_BLOCKS 20000
#define LARGE (1UL << 20)
#define LIMIT (1UL << 40)

/* One per page of the guarded region, found by the page in which the block's address lies. */
struct block {
	uintptr_t address;
	size_t size;
	int freed;
};

static char *region, *region_next, *region_end;
static struct block *blocks;
static unsigned long guarded;

/* A plain or exact block: its head, then its bytes. */
struct head {
	size_t size;
	uint32_t class;
	uint32_t mark;
};

#define ALIVE 0x57a7ab1c
#define FREE 0xdeadb10c

static void *lists[64];
static char *plain_next, *plain_end;

extern int *__errno_location(void) __attribute__((weak));

static void *out_of_memory(void)
{
	if (__errno_location) *__errno_location() = 12;
	return 0;
}

/* Addresses for guarded blocks: as many as one gets, since a limit may hold. */
static int reserve(void)
{
	static int tried;
	if (tried) return region != 0;
	tried = 1;
	for (size_t size = 1UL << 38; size >= 1UL << 26; size >>= 2) {
		region = map(0, size, PROT_NONE, MAP_NORESERVE);
		if (!region) continue;
		blocks = map(0, size / PAGE * sizeof *blocks, PROT_READ | PROT_WRITE, MAP_NORESERVE);
		if (blocks) {
			region_next = region;
			region_end = region + size;
			return 1;
		}
		call(SYS_munmap, (long)region, (long)size, 0);
		region = 0;
	}
	return 0;
}

static struct block *block_of(void *p)
{
	return region && (char *)p >= region && (char *)p < region_end ? &blocks[((char *)p - region) / PAGE] : 0;
}

static void *guarded_block(size_t size, size_t alignment)
{
	size_t rounded = (size + alignment - 1) & -alignment;
	size_t pages = ((rounded + PAGE - 1) & -PAGE) + (alignment > PAGE ? alignment : 0);
	if (!reserve() || pages + PAGE > (size_t)(region_end - region_next)) return 0;
	char *begin = region_next, *end = begin + pages;
	if (call(SYS_mprotect, (long)begin, (long)pages, PROT_READ | PROT_WRITE) < 0) return 0;
	region_next = end + PAGE;
	guarded++;
	char *p = (char *)((uintptr_t)(end - size) & -alignment);
	*block_of(p) = (struct block){ (uintptr_t)p, size, 0 };
	return p;
}

/* Classes are powers of two; the head keeps 16 bytes before a block that is aligned to 16. */
static void *plain_block(size_t size)
{
	uint32_t class = 4;
	while ((1UL << class) < size) class++;
	void **p = lists[class];
	if (p) {
		lists[class] = *p;
	} else {
		size_t need = sizeof(struct head) + (1UL << class);
		if (need > (size_t)(plain_end - plain_next)) {
			size_t more = need > LARGE ? need : LARGE;
			if (!(plain_next = map(0, more, PROT_READ | PROT_WRITE, 0))) return plain_end = 0, (void *)0;
			plain_end = plain_next + more;
		}
		p = (void **)(plain_next + sizeof(struct head));
		plain_next += need;
	}
	((struct head *)p)[-1] = (struct head){ size, class, ALIVE };
	return p;
}

static struct region exact;

/* The engine's next block. Its head lies in what belongs to nobody. */
static void *exact_block(size_t size, size_t alignment)
{
	void *p = modelled_object(&exact, MODELLED_HEAP, size, alignment);
	if (p) ((struct head *)p)[-1] = (struct head){ size, 0, ALIVE };
	return p;
}

static int is_exact(void *p)
{
	return (uintptr_t)p >= MODELLED_HEAP && (uintptr_t)p < exact.next;
}

static size_t natural_alignment(size_t size)
{
	size_t lowest = size & -size;
	return !size ? 1 : lowest > 16 ? 16 : lowest;
}

/* What a block is aligned to for which so much is asked; 0: whatever malloc gives. */
static size_t alignment_of(size_t size, size_t asked)
{
	if (__strata_report->placing == PLACING_GUARDED) return asked ? asked : natural_alignment(size);
	size_t modelled = modelled_alignment(size);
	return asked > modelled ? asked : modelled;
}

static void *allocate(size_t size, size_t alignment)
{
	if (size > LIMIT || alignment > LIMIT) return out_of_memory();
	void *p = 0;
	if (__strata_report->placing == PLACING_EXACT) return (p = exact_block(size, alignment)) ? p : out_of_memory();
	if (guarded < GUARDED_BLOCKS || size >= LARGE || alignment > 16) {
		p = guarded_block(size, alignment_of(size, alignment));
	}
	if (!p && alignment <= 16) p = plain_block(size);
	return p ? p : out_of_memory();
}

/* The head of a plain block; ends the program if it is none. */
static struct head *plain_head(void *p, const char *what)
{
	struct head *head = (struct head *)p - 1;
	int may = (uintptr_t)p % 16 == 0 && (plain_next || is_exact(p));
	if (may && head->mark == ALIVE) return head;
	int twice = may && head->mark == FREE;
	__strata_end_abort(END_HEAP, what, twice ? " of a block that is free already" : " of what is no block of the heap", 0);
}

static void release(void *p, const char *what)
{
	struct block *block = block_of(p);
	if (!block) {
		struct head *head = plain_head(p, what);
		head->mark = FREE;
		if (is_exact(p)) {
			uintptr_t begin = ((uintptr_t)p + PAGE - 1) & -PAGE, end = ((uintptr_t)p + head->size) & -PAGE;
			if (begin < end) map((void *)begin, end - begin, PROT_NONE, MAP_FIXED | MAP_NORESERVE);
			return;
		}
		*(void **)p = lists[head->class];
		lists[head->class] = p;
		return;
	}
	if (block->address != (uintptr_t)p) __strata_end_abort(END_HEAP, what, " of what is no block of the heap", 0);
	if (block->freed) __strata_end_abort(END_HEAP, what, " of a block that is free already", 0);
	block->freed = 1;
	uintptr_t begin = (uintptr_t)p & -PAGE, end = ((uintptr_t)p + block->size + PAGE - 1) & -PAGE;
	if (begin < end) map((void *)begin, end - begin, PROT_NONE, MAP_FIXED | MAP_NORESERVE);
}

size_t __strata_block_size(void *p)
{
	struct block *block = block_of(p);
	if (block) return block->address == (uintptr_t)p && !block->freed ? block->size : 0;
	struct head *head = (struct head *)p - 1;
	return is_exact(p) && (uintptr_t)p % 16 == 0 && head->mark == ALIVE ? head->size : 0;
}

void *malloc(size_t size)
{
	return allocate(size, 0);
}

void free(void *p)
{
	if (p) release(p, "free");
}

void *calloc(size_t count, size_t each)
{
	size_t size;
	if (__builtin_mul_overflow(count, each, &size)) return out_of_memory();
	char *p = allocate(size, 0);
	for (size_t i = 0; p && !block_of(p) && !is_exact(p) && i < size; i++) p[i] = 0;
	return p;
}

static size_t size_of(void *p, const char *what)
{
	struct block *block = block_of(p);
	if (!block) return plain_head(p, what)->size;
	if (block->address != (uintptr_t)p) __strata_end_abort(END_HEAP, what, " of what is no block of the heap", 0);
	if (block->freed) __strata_end_abort(END_HEAP, what, " of a block that is free already", 0);
	return block->size;
}

/* Not memcpy, which the program may lack. */
static void copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

/* Always another block: whoever still uses the old one is found out. */
void *realloc(void *old, size_t size)
{
	if (!old) return allocate(size, 0);
	size_t had = size_of(old, "realloc");
	char *p = allocate(size, 0);
	if (!p) return 0;
	copy(p, old, had < size ? had : size);
	release(old, "realloc");
	return p;
}

void *reallocarray(void *old, size_t count, size_t each)
{
	size_t size;
	return __builtin_mul_overflow(count, each, &size) ? out_of_memory() : realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	if (!alignment || alignment & (alignment - 1)) {
		if (__errno_location) *__errno_location() = 22;
		return 0;
	}
	return allocate(size, alignment);
}

void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
	if (alignment < sizeof(void *) || alignment & (alignment - 1)) return 22;
	void *p = allocate(size, alignment);
	if (!p) return 12;
	*result = p;
	return 0;
}

size_t malloc_usable_size(void *p)
{
	return p ? size_of(p, "malloc_usable_size") : 0;
}
