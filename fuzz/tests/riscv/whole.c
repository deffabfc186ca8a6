/* A program without a library: calls through pointers, recursion, variadic functions, integers of all widths, floats.
   It writes a byte at a time, and ends with a trap. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

static void put(char c) {
    register long number __asm__("a7") = 64, file __asm__("a0") = 1, length __asm__("a2") = 1;
    register const char *from __asm__("a1") = &c;
    __asm__ volatile("ecall" : "+r"(file) : "r"(number), "r"(from), "r"(length) : "memory");
}

static void text(const char *s) {
    while (*s)
        put(*s++);
}

static void hex(u64 x, int digits) {
    while (digits--)
        put("0123456789abcdef"[x >> 4 * digits & 15]);
}

static void decimal(long x) {
    u64 rest = x < 0 ? -(u64)x : (u64)x;
    char digits[24];
    int n = 0;
    do
        digits[n++] = '0' + rest % 10;
    while (rest /= 10);
    if (x < 0)
        put('-');
    while (n)
        put(digits[--n]);
}

static void print(const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    for (; *format; format++) {
        if (*format == '%') {
            switch (*++format) {
            case 'd': decimal(__builtin_va_arg(list, int)); break;
            case 'l': decimal(__builtin_va_arg(list, long)); break;
            case 'x': hex(__builtin_va_arg(list, u64), 16); break;
            case 's': text(__builtin_va_arg(list, const char *)); break;
            case 'f': {
                double value = __builtin_va_arg(list, double);
                u64 bits;
                __builtin_memcpy(&bits, &value, 8);
                hex(bits, 16);
                break;
            }
            }
        } else
            put(*format);
    }
    __builtin_va_end(list);
}

void *memset(void *to, int value, u64 n) {
    for (u8 *p = to; n--;)
        *p++ = value;
    return to;
}

void *memcpy(void *to, const void *from, u64 n) {
    u8 *p = to;
    for (const u8 *q = from; n--;)
        *p++ = *q++;
    return to;
}

static u64 state = 88172645463325252u;
static u64 draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

struct item {
    short key;
    signed char small;
    u16 half;
    long wide;
    float single;
};

static int by_key(const struct item *a, const struct item *b) { return (a->key > b->key) - (a->key < b->key); }
static int by_wide(const struct item *a, const struct item *b) { return (a->wide > b->wide) - (a->wide < b->wide); }
static int by_single(const struct item *a, const struct item *b) {
    return __builtin_isgreater(a->single, b->single) - __builtin_isless(a->single, b->single);
}

static void sort(struct item *items, long n, int (*compare)(const struct item *, const struct item *)) {
    if (n < 2)
        return;
    struct item pivot = items[n / 2];
    long i = 0, j = n - 1;
    while (i <= j) {
        while (compare(&items[i], &pivot) < 0)
            i++;
        while (compare(&items[j], &pivot) > 0)
            j--;
        if (i <= j) {
            struct item t = items[i];
            items[i++] = items[j];
            items[j--] = t;
        }
    }
    sort(items, j + 1, compare);
    sort(items + i, n - i, compare);
}

static u32 crc(const void *data, long n) {
    u32 sum = ~0u;
    for (const u8 *p = data; n--; p++) {
        sum ^= *p;
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static double root(double x) {
    double y = x;
    for (int i = 0; i < 60 && __builtin_fabs(y * y - x) > x * 1e-15; i++)
        y = (y + x / y) / 2;
    return y;
}

static int escape(double x, double y) {
    double a = 0, b = 0;
    int n = 0;
    for (; n < 50 && a * a + b * b < 4; n++) {
        double t = a * a - b * b + x;
        b = 2 * a * b + y;
        a = t;
    }
    return n;
}

static double greater(double a, double b) {
    double c;
    __asm__("fmax.d %0, %1, %2" : "=f"(c) : "f"(a), "f"(b));
    return c;
}

static struct item items[64];
static int (*const orders[])(const struct item *, const struct item *) = {by_key, by_wide, by_single};
static volatile long zero, least = -0x7fffffffffffffffl - 1;

static int seen;
static int once(int value) { return __atomic_exchange_n(&seen, value, __ATOMIC_SEQ_CST); }

void run(void) {
    print("%s %d %l\n", "start", -5, least);
    for (int i = 0; i < 64; i++) {
        u64 x = draw();
        items[i] = (struct item){x, x >> 16, x >> 24, (long)(x << 5) >> 7, (float)(long)x};
    }
    for (int k = 0; k < 3; k++) {
        sort(items, 64, orders[k]);
        u64 sum = 0;
        for (int i = 0; i < 64; i++)
            sum = sum * 31 + items[i].key + items[i].small * items[i].half + items[i].wide % 1000003;
        print("sorted %x %x\n", sum, (u64)crc(items, sizeof items));
    }
    print("ackermann %d\n", ackermann(2, 6));
    for (int i = 1; i < 20; i += 3)
        print("root %f %f\n", root(i), __builtin_fma(i, 0.1, -root(i)));
    for (int y = -4; y <= 4; y++) {
        for (int x = -12; x <= 6; x++)
            put(" .:-=+*#%@"[escape(x / 6.0, y / 4.0) / 5 % 10]);
        put('\n');
    }
    for (int i = 0; i < 12; i++) {
        u64 x = draw(), y = draw() >> (i * 5);
        __int128 wide = (__int128)(long)x * (long)y;
        print("%x %x %x ", x / (y | 1), (u64)((long)x % (long)(y | 1)), (u64)(wide >> 64));
        print("%x %x\n", (u64)((unsigned __int128)x * y >> 64), (u64)((u32)x / ((u32)y | 1)));
        print("%d %d %d %x\n", __builtin_popcountl(x), __builtin_clzl(x | 1), __builtin_ctzl(x | 1UL << 63), __builtin_bswap64(x));
        print("%f %x\n", (double)x * 1e-9 + (float)(int)y, (u64)(long)((double)(long)x / 3.7));
    }
    print("%d %d %d\n", once(3), once(4), __atomic_add_fetch(&seen, 5, __ATOMIC_SEQ_CST));
    int expected = 9;
    print("%d ", __atomic_compare_exchange_n(&seen, &expected, 10, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    print("%d %d\n", __atomic_compare_exchange_n(&seen, &expected, 11, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST), seen);
    double nan = zero / (double)zero;
    print("%f %d %d %d\n", nan, nan < 1, nan != nan, (int)greater(nan, 2));
    text("end\n");
    __asm__ volatile("ebreak");
}

static u8 stack[16384] __attribute__((aligned(16), used));

__attribute__((naked)) void _start(void) {
    __asm__(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
            "la sp, stack\nli t0, 16384\nadd sp, sp, t0\ncall run\nebreak");
}
