// Words counted in a hash table: string hashing, comparing and copying.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define WORDS 20000
#define ROUNDS 160

struct entry {
  struct entry *next;
  unsigned count;
  char word[16];
};

static struct entry *table[BUCKETS];

static unsigned hash(const char *word) {
  unsigned h = 2166136261u;
  for (; *word; word++)
    h = (h ^ (unsigned char)*word) * 16777619u;
  return h;
}

static void count(const char *word) {
  struct entry **at = &table[hash(word) % BUCKETS];
  while (*at && strcmp((*at)->word, word) != 0)
    at = &(*at)->next;
  if (!*at) {
    *at = calloc(1, sizeof **at);
    strcpy((*at)->word, word);
  }
  (*at)->count++;
}

static void spell(char *word, unsigned number) {
  int length = 4 + number % 9;
  for (int i = 0; i < length; i++) {
    number = number * 1103515245u + 12345;
    word[i] = 'a' + (number >> 16) % 26;
  }
  word[length] = 0;
}

int main(void) {
  char word[16];
  unsigned long checksum = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < WORDS; i++) {
      spell(word, i % (WORDS / (1 + round % 4)));
      count(word);
      checksum += strlen(word);
    }
  for (int i = 0; i < BUCKETS; i++)
    for (const struct entry *entry = table[i]; entry; entry = entry->next)
      checksum = checksum * 31 + entry->count + hash(entry->word);
  printf("%lu\n", checksum);
  return 0;
}
