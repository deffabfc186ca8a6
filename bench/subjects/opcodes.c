// Decodes SIZE symbolic bytes of a small machine's code by a table of structures, one for each opcode: its length, the kinds of its two operands, and its
// flags. The place of the next instruction depends on the table, so with STEP=1 it is a symbolic number; with STEP=0 the program branches over the length
// first. OPCODES entries are in use, the others say "no such instruction". -D SIZE=n -D OPCODES=16|64|256 -D STEP=0|1
#include "subject.h"

enum kind { NONE, REGISTER, BYTE, WORD, RELATIVE };
enum flag { JUMPS = 1, ENDS = 2, PRIVILEGED = 4 };

struct opcode {
    unsigned char length;
    unsigned char kind[2];
    unsigned short flags;
    int cycles;
};

// Sixteen instructions: what one bank of the table holds. The banks differ in cycles, and odd ones lack two instructions.
#define BANK(n)                                                                                                                                                \
    {1, {NONE, NONE}, 0, n + 1}, {2, {REGISTER, NONE}, 0, n + 1}, {2, {REGISTER, NONE}, 0, n + 2}, {3, {REGISTER, REGISTER}, 0, n + 2},                        \
        {3, {REGISTER, BYTE}, 0, n + 2}, {3, {REGISTER, BYTE}, 0, n + 3}, {4, {REGISTER, WORD}, 0, n + 4}, {3, {WORD, NONE}, JUMPS, n + 5},                   \
        {2, {RELATIVE, NONE}, JUMPS, n + 3}, {2, {RELATIVE, NONE}, JUMPS, n + 3}, {2, {BYTE, NONE}, PRIVILEGED, n + 7}, {1, {NONE, NONE}, ENDS, n + 6},        \
        {1, {NONE, NONE}, ENDS | PRIVILEGED, n + 6}, {3, {BYTE, REGISTER}, PRIVILEGED, n + 4}, {n % 2 ? 0 : 1, {NONE, NONE}, 0, n + 1}, {                       \
        n % 2 ? 0 : 2, {BYTE, NONE}, 0, n + 1                                                                                                                  \
    }

static const struct opcode table[256] = {
    BANK(0),
#if OPCODES >= 64
    BANK(1), BANK(2), BANK(3),
#endif
#if OPCODES == 256
    BANK(4), BANK(5), BANK(6), BANK(7), BANK(8), BANK(9), BANK(10), BANK(11), BANK(12), BANK(13), BANK(14), BANK(15),
#endif
};

static int width(int kind) { return kind == NONE ? 0 : kind == WORD ? 2 : 1; }

// Is the operand at this place one that the machine has?
static int sound(int kind, const unsigned char *code, int at) {
    if (kind == REGISTER)
        return code[at] < 8;
    if (kind == RELATIVE)
        return at + 1 + (signed char)code[at] >= 0;
    return 1;
}

// A length as the program goes on with it.
static int step(int length) {
    if (STEP)
        return length;
    for (int i = 1; i < 4; i++)
        if (length == i)
            return i;
    return 4;
}

// The number of instructions up to one that ends the code, or -1.
static int decode(const unsigned char *code, int *cycles) {
    int count = 0, at = 0;
    while (at < SIZE) {
        const struct opcode *opcode = &table[code[at]];
        if (opcode->length == 0 || opcode->flags & PRIVILEGED || at + opcode->length > SIZE)
            return -1;
        if (!sound(opcode->kind[0], code, at + 1))
            return -1;
        if (!sound(opcode->kind[1], code, at + 1 + width(opcode->kind[0])))
            return -1;
        *cycles += opcode->cycles;
        count++;
        if (opcode->flags & ENDS)
            return count;
        at += step(opcode->length);
    }
    return -1;
}

int main(void) {
    unsigned char code[SIZE];
    klee_make_symbolic(code, SIZE, "code");
    int cycles = 0, count = decode(code, &cycles);
    klee_assert(count <= SIZE);
    klee_assert(count < 0 || cycles >= count);
    return 0;
}
