// A parser of small packets, with the kind of mistake that gets a name and a logo.
//
//     strata run examples/overflow.c
//
// A packet is a list of fields: a kind, a length, and as many bytes. The parser checks each length against what is left of the packet, and one
// of them against the buffer it copies to; the other it does not. Two errors are found, each with the packet that triggers it: a
// greeting that is too long, and a last field whose length lies outside the packet. `strata tests strata-last` lists the packets.
#include <klee/klee.h>
#include <stdio.h>

enum { END, NAME, PORT, GREETING };

struct session {
  char name[4];
  unsigned short port;
};

static int parse(const unsigned char *packet, int size, struct session *session) {
  char greeting[4] = "";
  int at = 0;
  while (at < size && packet[at] != END) {
    unsigned char kind = packet[at], length = packet[at + 1];
    const unsigned char *data = packet + at + 2;
    if (at + 2 + length > size)
      return -1;
    switch (kind) {
    case NAME:
      if (length > sizeof session->name)
        return -1;
      for (int i = 0; i < length; i++)
        session->name[i] = data[i];
      break;
    case PORT:
      if (length != 2)
        return -1;
      session->port = data[0] << 8 | data[1];
      break;
    case GREETING:
      for (int i = 0; i < length; i++)
        greeting[i] = data[i];
      break;
    default:
      return -1;
    }
    at += 2 + length;
  }
  printf("%c%c on port %d\n", greeting[0], session->name[0], session->port);
  return 0;
}

int main(void) {
  unsigned char packet[8];
  klee_make_symbolic(packet, sizeof packet, "packet");
  struct session session = {"", 0};
  return parse(packet, sizeof packet, &session) != 0;
}
