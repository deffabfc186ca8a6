// The folder part of a symbolic path name of at most SIZE bytes, found in one pass from the front: 2^(SIZE+1) - 1 paths. -D SIZE=n
#include "subject.h"

// Length of the folder part: up to the last slash that has something behind it, without slashes at its own end.
static int folder(const char *name) {
    int end = 0, candidate = 0, length = 0;
    for (; name[length] != '\0'; length++) {
        if (name[length] == '/') {
            candidate = end;
        } else {
            if (length > 0 && name[length - 1] == '/')
                end = candidate;
            candidate = end;
        }
    }
    while (end > 1 && name[end - 1] == '/')
        end--;
    return end;
}

int main(void) {
    char name[SIZE + 1];
    klee_make_symbolic(name, sizeof name, "name");
    klee_assume(name[SIZE] == '\0');
    return folder(name) > SIZE;
}
