/* The thread pointer, which musl reads by assembler. */
uintptr_t __strata_get_tp(void);

static inline uintptr_t __get_tp(void)
{
	return __strata_get_tp();
}

#define MC_PC gregs[REG_RIP]
