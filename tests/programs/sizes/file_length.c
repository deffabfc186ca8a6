// expect: paths=1 exit=0
// args: --sym-files 1 8 --sym-lengths
// A file of symbolic length: what stat says, where its end is and what is read agree, on one path.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat known;
  char bytes[16];
  int fd = open("A", O_RDONLY);
  if (fd < 0 || fstat(fd, &known))
    return 1;
  long end = lseek(fd, 0, SEEK_END);
  lseek(fd, 0, SEEK_SET);
  long got = read(fd, bytes, sizeof bytes);
  if (got != known.st_size || end != got || got > 8)
    abort();
  if (read(fd, bytes, 4) != 0)
    abort();
  return got == 8;
}
