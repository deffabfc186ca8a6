// expect: paths=3..12 exit=0
// args: --sym-files 1 2 --sym-lengths
// Whoever changes a file of symbolic length forks over its lengths.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat before, after;
  int fd = open("A", O_RDWR | O_APPEND);
  if (fd < 0 || fstat(fd, &before))
    return 1;
  if (write(fd, "xyz", 3) != 3 || fstat(fd, &after))
    return 2;
  if (after.st_size != before.st_size + 3)
    abort();
  return 0;
}
