// Shortest ways from vertex 0 in a complete directed graph of VERTICES, of whose edges the first SYMBOLIC have symbolic lengths. -D VERTICES=n -D SYMBOLIC=n
#include "subject.h"

#define FAR 1000000

static int length[VERTICES][VERTICES], distance[VERTICES], done[VERTICES];

static int nearest(void) {
    int best = -1;
    for (int v = 0; v < VERTICES; v++)
        if (!done[v] && (best < 0 || distance[v] < distance[best]))
            best = v;
    return best;
}

static void relax(int from) {
    for (int to = 0; to < VERTICES; to++)
        if (!done[to] && distance[from] + length[from][to] < distance[to])
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
    for (int round = 0; round < VERTICES; round++) {
        int v = nearest();
        done[v] = 1;
        relax(v);
    }
    return 0;
}
