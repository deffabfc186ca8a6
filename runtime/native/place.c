/* Functions, globals and local variables at the engine's addresses. The program's code has the addresses of symbols as numbers; a table that was made with
 * it says what lies there.
 *
 * Functions and globals lie there in all runs: nothing is known of them that would show errors better elsewhere. Local variables do in PLACING_EXACT
 * alone, since a write beyond one hits the stack's return addresses otherwise, and shows. They are not given back: the engine never uses an
 * address twice. Where there is no memory left they stay on the stack.
 */
#include "native.h"

enum part { PART_CODE, PART_CONSTANT, PART_VARIABLE, PART_ZERO };

/* By ascending address, up to a row of zeros. */
struct row {
	uintptr_t address;
	const char *from;
	size_t size;
	uint64_t part;
};

extern const struct row __strata_places[] __attribute__((weak));

/* movabs $to, %r11; jmp *%r11: a register that no call passes anything in. */
static void put_jump(volatile unsigned char *at, const char *to)
{
	at[0] = 0x49, at[1] = 0xbb;
	for (int i = 0; i < 8; i++) at[2 + i] = (unsigned char)((uintptr_t)to >> 8 * i);
	at[10] = 0x41, at[11] = 0xff, at[12] = 0xe3;
}

enum { JUMP = 13 };

static uintptr_t end_of(const struct row *row)
{
	return (row->address + (row->part == PART_CODE ? JUMP : row->size) + 4095) & -4096UL;
}

/* Pages of the rows of a part, up to the first one of another. */
static const struct row *protect(const struct row *row, enum part part, int protection)
{
	const struct row *first = row;
	while (row->address && row->part == part) row++;
	uintptr_t begin = first->address & -4096UL;
	if (row > first) call(SYS_mprotect, (long)begin, (long)(end_of(row - 1) - begin), protection);
	return row;
}

void __strata_place_symbols(void)
{
	uintptr_t mapped = 0;
	if (!__strata_places) return;
	for (const struct row *row = __strata_places; row->address; row++) {
		/* Between neighbours of one part there are no holes: they are protected at once. */
		int same = row > __strata_places && row[-1].part == row->part;
		uintptr_t begin = row->address & -4096UL, end = end_of(row);
		if (same || begin < mapped) begin = mapped;
		if (begin < end && !map((void *)begin, end - begin, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE)) __builtin_trap();
		if (mapped < end) mapped = end;
		if (row->part == PART_CODE) {
			put_jump((unsigned char *)row->address, row->from);
		} else if (row->part != PART_ZERO) {
			volatile char *to = (char *)row->address;
			for (size_t i = 0; i < row->size; i++) to[i] = row->from[i];
		}
	}
	protect(protect(__strata_places, PART_CODE, PROT_READ | PROT_EXEC), PART_CONSTANT, PROT_READ);
}

static struct region locals;

/* Where a local variable lies that has this place on the stack. */
void *__strata_local(void *own, size_t size, size_t alignment)
{
	if (__strata_report->placing != PLACING_EXACT) return own;
	void *p = modelled_object(&locals, MODELLED_LOCALS, size, alignment);
	return p ? p : own;
}
