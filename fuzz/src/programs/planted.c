#include <assert.h>
#include <stdlib.h>

/* Operations that go wrong for some inputs. The engine gets the plain operation. The reference build
   (-D REFERENCE) checks its operands first, and reports the kind of the error and its line.

   An empty assembler statement hides operands and results from the optimiser. Without it, the
   optimiser may remove an operation whose result nobody needs, or conclude from it what the
   operands are. */
#define HIDE(x) __asm__ volatile("" : "+r"(x))
#define BARRIER() __asm__ volatile("" : : : "memory")
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* Every input is below its count. The reference build makes them from one number, the first input
   from its lowest digit. */
#ifdef REFERENCE
static uint64_t chosen;
#define CHOICE(x, count) (x = (__typeof__(x))(chosen % (count)), chosen /= (count))
#else
#define CHOICE(x, count) (klee_make_symbolic(&x, sizeof x, #x), klee_assume((uint64_t)x < (count)))
#endif

#ifdef REFERENCE
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *kind, int line) {
  printf("\1%s %d", kind, line);
  fflush(stdout);
  _exit(0);
}
#define PLANTED(bad, kind) ((bad) ? report(kind, __LINE__) : (void)0)

static int explored(void);
extern const unsigned inputs;

/* Runs the program on every input. Prints \2, what the program prints, \1 with kind and line of its
   error if it has one, and \3 with its status. */
int main(void) {
  for (unsigned input = 0; input < inputs; input++) {
    putchar(2);
    fflush(stdout);
    int status;
    pid_t child = fork();
    if (child < 0)
      return 1;
    if (child == 0) {
      chosen = input;
      alarm(10);
      exit(explored());
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
      fprintf(stderr, "input %u: status %#x\n", input, status);
      return 1;
    }
    printf("\3%d", WEXITSTATUS(status));
    fflush(stdout);
  }
  return 0;
}
#define main explored
#else
#define PLANTED(bad, kind) ((void)0)
#endif

#define READ(a, i)                                                                                           \
  ({                                                                                                         \
    __typeof__(i) i_ = (i);                                                                                  \
    HIDE(i_);                                                                                                \
    PLANTED((uint64_t)i_ >= LENGTH(a), "ptr");                                                               \
    __typeof__((a)[0]) got_ = *(volatile __typeof__((a)[0]) *)&(a)[i_];                                      \
    HIDE(got_);                                                                                              \
    got_;                                                                                                    \
  })
#define WRITE(a, i, value)                                                                                   \
  ({                                                                                                         \
    __typeof__(i) i_ = (i);                                                                                  \
    __typeof__((a)[0]) value_ = (value);                                                                     \
    HIDE(i_);                                                                                                \
    PLANTED((uint64_t)i_ >= LENGTH(a), "ptr");                                                               \
    *(volatile __typeof__((a)[0]) *)&(a)[i_] = value_;                                                       \
    BARRIER();                                                                                               \
  })
/* The least value by -1 is left out: it overflows. */
#define DIVIDED(T, a, operator, b)                                                                           \
  ({                                                                                                         \
    T a_ = (a), b_ = (b);                                                                                    \
    HIDE(a_);                                                                                                \
    HIDE(b_);                                                                                                \
    PLANTED(b_ == 0, "div");                                                                                 \
    a_ = b_ == (T)-1 ? a_ : (T)(a_ operator b_);                                                             \
    HIDE(a_);                                                                                                \
    a_;                                                                                                      \
  })
/* At -O2 the result of a shift that is too far is poison, which is an error only where it decides
   something. The branch decides at once. */
#define SHIFTED(T, a, operator, b)                                                                           \
  ({                                                                                                         \
    T a_ = (a), b_ = (b);                                                                                    \
    HIDE(a_);                                                                                                \
    HIDE(b_);                                                                                                \
    PLANTED((uint64_t)b_ >= 8 * sizeof(T), "overshift");                                                     \
    a_ = a_ operator b_;                                                                                     \
    HIDE(a_);                                                                                                \
    if (a_ == 77)                                                                                            \
      BARRIER();                                                                                             \
    a_;                                                                                                      \
  })
#define BEHIND(pointer)                                                                                      \
  ({                                                                                                         \
    __typeof__(pointer) pointer_ = (pointer);                                                                \
    HIDE(pointer_);                                                                                          \
    PLANTED(!pointer_, "ptr");                                                                               \
    __typeof__(*(pointer)) got_ = *(volatile __typeof__(*(pointer)) *)pointer_;                              \
    HIDE(got_);                                                                                              \
    got_;                                                                                                    \
  })
/* A read from the heap, after it was freed if `freed` holds. */
#define STALE(T, value, freed)                                                                               \
  ({                                                                                                         \
    T *heap_ = malloc(4 * sizeof(T));                                                                        \
    int freed_ = (freed);                                                                                    \
    HIDE(heap_);                                                                                             \
    heap_[3] = (value);                                                                                      \
    if (freed_)                                                                                              \
      free(heap_);                                                                                           \
    PLANTED(freed_, "ptr");                                                                                  \
    T got_ = ((volatile T *)heap_)[3];                                                                       \
    HIDE(got_);                                                                                              \
    if (!freed_)                                                                                             \
      free(heap_);                                                                                           \
    got_;                                                                                                    \
  })
#define TWICE(freed)                                                                                         \
  ({                                                                                                         \
    void *heap_ = malloc(16);                                                                                \
    int freed_ = (freed);                                                                                    \
    HIDE(heap_);                                                                                             \
    if (freed_)                                                                                              \
      free(heap_);                                                                                           \
    HIDE(heap_);                                                                                             \
    PLANTED(freed_, "ptr");                                                                                 \
    free(heap_);                                                                                             \
  })
#define INNER(offset)                                                                                        \
  ({                                                                                                         \
    char *heap_ = malloc(16), *start_ = heap_;                                                               \
    uint32_t offset_ = (offset);                                                                             \
    HIDE(heap_);                                                                                             \
    heap_ += offset_;                                                                                        \
    HIDE(heap_);                                                                                             \
    PLANTED(heap_ != start_, "ptr");                                                                         \
    free(heap_);                                                                                             \
  })
#define FOREIGN(foreign)                                                                                     \
  ({                                                                                                         \
    void *heap_ = malloc(16), *start_ = heap_;                                                               \
    if (foreign)                                                                                             \
      heap_ = &checksum;                                                                                     \
    HIDE(heap_);                                                                                             \
    PLANTED(heap_ != start_, "free");                                                                        \
    free(heap_);                                                                                             \
  })
static const uint32_t fixed[3] = {1, 2, 3};
static uint32_t loose[3] = {1, 2, 3};
#define STORE(constant, i, value)                                                                            \
  ({                                                                                                         \
    int constant_ = (constant);                                                                              \
    uint32_t *to_ = constant_ ? (uint32_t *)fixed : loose;                                                   \
    HIDE(to_);                                                                                               \
    PLANTED(constant_, "read_only");                                                                         \
    ((volatile uint32_t *)to_)[i] = (value);                                                                 \
    BARRIER();                                                                                               \
  })
#define FILL(a, byte, n)                                                                                     \
  ({                                                                                                         \
    uint64_t n_ = (n);                                                                                       \
    void *to_ = (a);                                                                                         \
    HIDE(to_);                                                                                               \
    PLANTED(n_ > sizeof(a), "ptr");                                                                          \
    memset(to_, byte, n_);                                                                                   \
    BARRIER();                                                                                               \
  })
#define COPY(a, b, n)                                                                                        \
  ({                                                                                                         \
    uint64_t n_ = (n);                                                                                       \
    void *to_ = (a);                                                                                         \
    const void *from_ = (b);                                                                                 \
    HIDE(to_);                                                                                               \
    PLANTED(n_ > sizeof(a) || n_ > sizeof(b), "ptr");                                                        \
    memcpy(to_, from_, n_);                                                                                  \
    BARRIER();                                                                                               \
  })

/* Objects of `n` elements, where `n` depends on an input and is not 0. The engine has one path for all
   of them. */
#define BLOCK(T, made, n, slides, i, value)                                                                  \
  ({                                                                                                         \
    uint64_t n_ = (n), i_ = (i);                                                                             \
    HIDE(n_);                                                                                                \
    HIDE(i_);                                                                                                \
    T *block_ = (made);                                                                                      \
    HIDE(block_);                                                                                            \
    memset(block_, 3, n_ * sizeof(T));                                                                       \
    ((volatile T *)block_)[n_ / 2 < n_ ? n_ / 2 : 0] = (value);                                              \
    if (slides)                                                                                              \
      memmove(block_, block_ + 1, (n_ - 1) * sizeof(T));                                                     \
    BARRIER();                                                                                               \
    PLANTED(i_ >= n_, "ptr");                                                                                \
    T got_ = ((volatile T *)block_)[i_];                                                                     \
    ((volatile T *)block_)[i_] = got_ / 2;                                                                   \
    HIDE(got_);                                                                                              \
    free(block_);                                                                                            \
    got_;                                                                                                    \
  })
#define GROWN(T, n, m, i)                                                                                    \
  ({                                                                                                         \
    uint64_t n_ = (n), m_ = (m), i_ = (i);                                                                   \
    HIDE(n_);                                                                                                \
    HIDE(m_);                                                                                                \
    HIDE(i_);                                                                                                \
    T *block_ = malloc(n_ * sizeof(T));                                                                      \
    HIDE(block_);                                                                                            \
    memset(block_, 5, n_ * sizeof(T));                                                                       \
    block_ = realloc(block_, m_ * sizeof(T));                                                                \
    HIDE(block_);                                                                                            \
    if (n_ < m_)                                                                                             \
      memset(block_ + n_, 7, (m_ - n_) * sizeof(T));                                                         \
    PLANTED(i_ >= m_, "ptr");                                                                                \
    T got_ = ((volatile T *)block_)[i_];                                                                     \
    HIDE(got_);                                                                                              \
    free(block_);                                                                                            \
    got_;                                                                                                    \
  })
#define VARIABLE(T, n, i, value)                                                                             \
  ({                                                                                                         \
    uint64_t n_ = (n), i_ = (i);                                                                             \
    HIDE(n_);                                                                                                \
    HIDE(i_);                                                                                                \
    T block_[n_], *to_ = block_;                                                                             \
    HIDE(to_);                                                                                               \
    memset(to_, 9, n_ * sizeof(T));                                                                          \
    PLANTED(i_ >= n_, "ptr");                                                                                \
    ((volatile T *)to_)[i_] = (value);                                                                       \
    T got_ = ((volatile T *)to_)[n_ - 1];                                                                    \
    HIDE(got_);                                                                                              \
    got_;                                                                                                    \
  })

/* Letters by two bits of `bits` each: texts are equal, or have no end, now and then. */
static UNUSED void write_text(char *text, uint32_t length, uint64_t bits) {
  for (uint32_t i = 0; i < length; i++, bits >>= 2)
    text[i] = "ab\0b"[bits & 3];
}
#ifdef REFERENCE
static UNUSED int runs_off(const char *a, uint64_t m, const char *b, uint64_t n) {
  for (uint64_t i = 0; i < m && i < n; i++)
    if (a[i] != b[i] || !a[i])
      return 0;
  return 1;
}
#endif
#define TEXT_LENGTH(text)                                                                                    \
  ({                                                                                                         \
    const char *text_ = (text);                                                                              \
    HIDE(text_);                                                                                             \
    PLANTED(!memchr(text, 0, sizeof(text)), "ptr");                                                          \
    uint64_t got_ = strlen(text_);                                                                           \
    HIDE(got_);                                                                                              \
    got_;                                                                                                    \
  })
#define TEXT_ORDER(a, b)                                                                                     \
  ({                                                                                                         \
    const char *one_ = (a), *other_ = (b);                                                                   \
    HIDE(one_);                                                                                              \
    PLANTED(runs_off(a, sizeof(a), b, sizeof(b)), "ptr");                                                    \
    int got_ = strcmp(one_, other_);                                                                         \
    HIDE(got_);                                                                                              \
    (got_ > 0) - (got_ < 0);                                                                                 \
  })
#define ABORT(condition)                                                                                     \
  if (condition) {                                                                                           \
    PLANTED(1, "abort");                                                                                     \
    BARRIER();                                                                                               \
    abort();                                                                                                 \
  }
#ifdef REFERENCE
#define CLAIM(condition) PLANTED(!(condition), "assert")
#else
#define CLAIM(condition) assert(condition)
#endif

static UNUSED uint64_t high_product(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

/* The exit status, by branches that the optimiser keeps: it is one number on each path. */
static UNUSED int status(void) {
  uint64_t folded = checksum ^ checksum >> 32;
  folded ^= folded >> 16;
  int code = 0;
  for (int bit = 0; bit < 7; bit++)
    if (folded >> bit & 1) {
      code |= 1 << bit;
      BARRIER();
    }
  return code;
}
