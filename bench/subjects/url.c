// Parses SIZE symbolic bytes as a URL: scheme, "://", host, an optional port of at most 65535, a path with %XX escapes. -D SIZE=n
#include "subject.h"

static const char *text;
static int at;

static int letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int number(int c) { return c >= '0' && c <= '9'; }
static int hex(int c) { return number(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static int peek(void) { return at < SIZE ? text[at] : '\0'; }

static int scheme(void) {
    if (!letter(peek()))
        return 0;
    while (letter(peek()) || number(peek()) || peek() == '+')
        at++;
    for (const char *mark = "://"; *mark; mark++, at++)
        if (peek() != *mark)
            return 0;
    return 1;
}

static int host(void) {
    int start = at;
    while (letter(peek()) || number(peek()) || peek() == '-' || peek() == '.')
        at++;
    return at > start;
}

static int port(void) {
    if (peek() != ':')
        return 1;
    int value = 0;
    for (at++; number(peek()); at++) {
        value = value * 10 + peek() - '0';
        if (value > 65535)
            return 0;
    }
    return value > 0;
}

static int path(void) {
    if (peek() != '/')
        return peek() == '\0';
    for (; peek() != '\0'; at++) {
        if (peek() == '%') {
            at++;
            if (!hex(peek()))
                return 0;
            at++;
            if (!hex(peek()))
                return 0;
        } else if (peek() <= ' ') {
            return 0;
        }
    }
    return 1;
}

int main(void) {
    char bytes[SIZE];
    klee_make_symbolic(bytes, SIZE, "url");
    text = bytes;
    int good = scheme() && host() && port() && path();
    klee_assert(!good || at <= SIZE);
    return 0;
}
