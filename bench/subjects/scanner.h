// What the scanners share: the kinds of tokens, and a program that gives yylex SIZE symbolic bytes from memory, as programs do that scan a string.
#ifndef SCANNER_H
#define SCANNER_H

#include "subject.h"

enum token { END, KEYWORD, TYPE, NAME, NUMBER, STRING, OPERATOR, MARK, WRONG, TOKENS };

// Stretches of text that are no token.
static int blanks;

#define SCAN                                                                                                                                                   \
    int main(void) {                                                                                                                                           \
        char text[SIZE];                                                                                                                                       \
        int tokens = 0, kinds[TOKENS] = {0};                                                                                                                   \
        klee_make_symbolic(text, SIZE, "text");                                                                                                                \
        YY_BUFFER_STATE buffer = yy_scan_bytes(text, SIZE);                                                                                                    \
        for (int token; (token = yylex()) != END; tokens++)                                                                                                    \
            kinds[token]++;                                                                                                                                    \
        yy_delete_buffer(buffer);                                                                                                                              \
        klee_assert(tokens + blanks <= SIZE && kinds[WRONG] <= tokens);                                                                                        \
        return 0;                                                                                                                                              \
    }

#endif
