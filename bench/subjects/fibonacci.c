// The n-th Fibonacci number by plain recursion, n symbolic from 0 to SIZE: SIZE + 1 paths, each asking again what n is in every call. -D SIZE=n
#include "subject.h"

static int fibonacci(int n) {
    if (n == 0)
        return 0;
    if (n == 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) { return fibonacci(upto(SIZE)) < 0; }
