// expect: paths=1 exit=0
// Atomics are plain operations for one thread.
#include <klee/klee.h>
#include <stdatomic.h>

static atomic_int counter = 5;

int main(void) {
  int expected = 8;
  klee_assert(atomic_fetch_add(&counter, 3) == 5);
  klee_assert(atomic_compare_exchange_strong(&counter, &expected, 100));
  klee_assert(atomic_exchange(&counter, 1) == 100);
  klee_assert(atomic_fetch_or(&counter, 6) == 1);
  atomic_thread_fence(memory_order_seq_cst);
  klee_assert(atomic_load(&counter) == 7);
  return 0;
}
