// Decodes SIZE symbolic bytes of UTF-8: one to four bytes a character, no overlong forms, no surrogates, nothing above U+10FFFF. -D SIZE=n
#include "subject.h"

// The bytes of the character at `text`, at most `left`, or 0 when there is none; its code in `code`.
static int character(const unsigned char *text, int left, unsigned *code) {
    unsigned first = text[0];
    int length;
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    if ((first & 0xE0) == 0xC0)
        length = 2, *code = first & 0x1F;
    else if ((first & 0xF0) == 0xE0)
        length = 3, *code = first & 0x0F;
    else if ((first & 0xF8) == 0xF0)
        length = 4, *code = first & 0x07;
    else
        return 0;
    if (length > left)
        return 0;
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3F);
    }
    if (length == 2 && *code < 0x80)
        return 0;
    if (length == 3 && (*code < 0x800 || (*code >= 0xD800 && *code <= 0xDFFF)))
        return 0;
    if (length == 4 && (*code < 0x10000 || *code > 0x10FFFF))
        return 0;
    return length;
}

int main(void) {
    unsigned char text[SIZE];
    klee_make_symbolic(text, SIZE, "text");
    unsigned code, wide = 0;
    for (int at = 0; at < SIZE;) {
        int length = character(text + at, SIZE - at, &code);
        if (length == 0)
            return 1;
        klee_assert(code <= 0x10FFFF);
        if (code >= 0x1100)
            wide++;
        at += length;
    }
    klee_assert(wide <= SIZE / 3);
    return 0;
}
