// Shortest ways from vertex 0 by relaxing every edge VERTICES - 1 times; the first SYMBOLIC edges of a complete directed graph have symbolic lengths.
// -D VERTICES=n -D SYMBOLIC=n
#include "subject.h"

#define FAR 1000000

static int length[VERTICES][VERTICES], distance[VERTICES];

static void round_of_relaxing(void) {
    for (int from = 0; from < VERTICES; from++)
        for (int to = 0; to < VERTICES; to++)
            if (from != to && distance[from] + length[from][to] < distance[to])
                distance[to] = distance[from] + length[from][to];
}

int main(void) {
    int edge = 0;
    for (int from = 0; from < VERTICES; from++)
        for (int to = 0; to < VERTICES; to++)
            if (from != to)
                length[from][to] = edge++ < SYMBOLIC ? upto(2 * VERTICES) : 1 + (from * 3 + to * 5) % (2 * VERTICES);
    for (int v = 1; v < VERTICES; v++)
        distance[v] = FAR;
    for (int round = 1; round < VERTICES; round++)
        round_of_relaxing();
    return 0;
}
