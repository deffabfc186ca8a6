// expect: paths=1 exit=0 incomplete=unsupported
// A thread cannot be made: the run goes on as the program does then, and says that this is not all.
#include <pthread.h>
#include <stdio.h>

static int done;

static void *work(void *argument) {
  done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  int failed = pthread_create(&thread, 0, work, 0);
  if (failed)
    puts("no thread");
  else
    pthread_join(thread, 0);
  return done;
}
