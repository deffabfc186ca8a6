// A least spanning tree by taking the shortest edge that joins two parts, again and again. A ring of VERTICES with CHORDS across it; all lengths
// symbolic. -D VERTICES=n -D CHORDS=n
#include "subject.h"

#define EDGES (VERTICES + CHORDS)

static int from[EDGES], to[EDGES], length[EDGES], part[VERTICES];

static int shortest(void) {
    int best = -1;
    for (int e = 0; e < EDGES; e++)
        if (part[from[e]] != part[to[e]] && (best < 0 || length[e] < length[best]))
            best = e;
    return best;
}

static void join(int kept, int gone) {
    for (int v = 0; v < VERTICES; v++)
        if (part[v] == gone)
            part[v] = kept;
}

int main(void) {
    for (int e = 0; e < EDGES; e++) {
        from[e] = e % VERTICES;
        to[e] = (e + 1 + e / VERTICES) % VERTICES;
        length[e] = upto(2 * EDGES);
    }
    for (int v = 0; v < VERTICES; v++)
        part[v] = v;
    for (int taken = 1; taken < VERTICES; taken++) {
        int e = shortest();
        join(part[from[e]], part[to[e]]);
    }
    return 0;
}
