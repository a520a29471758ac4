/* Largest cliques by branch and bound over bit sets: the search of cliques.py, step by step.

   All memory is the caller's. After so many steps a search returns, and goes on where it was at the next call, so that
   Python sees the clock and the keyboard. */

#include <stdint.h>
#include <string.h>

typedef uint64_t word; /* 64 vertices of a set */

typedef struct {
    int32_t vertices, words;     /* words of a set */
    int32_t depth;               /* vertices of the clique that grows; -1 before the first step */
    int32_t size, upper, proved; /* of the best clique; of any, as was given and as is known so far */
    const word *graph;           /* the neighbours of each vertex */
    word *candidates;            /* for each depth, the vertices by which the clique may still grow */
    word *scratch;               /* two sets */
    int32_t *branches, *colours; /* for each depth, vertices to branch on, the last one first, and their colours */
    int32_t *left;               /* for each depth, how many of these are left */
    int32_t *best;               /* the vertices of the best clique */
} search;

static int is_empty(const word *set, int32_t words)
{
    for (int32_t i = 0; i < words; i++)
        if (set[i])
            return 0;
    return 1;
}

/* Colour the candidates of a depth greedily; a clique has one vertex of a colour. Those with more colours than are
   enough, in the order of their colours, are to be branched on. */
static void colour(search *s, int32_t depth, int32_t enough)
{
    int32_t words = s->words, count = 0;
    int32_t *branches = s->branches + (size_t)depth * s->vertices;
    int32_t *colours = s->colours + (size_t)depth * s->vertices;
    word *rest = s->scratch, *fitting = rest + words;

    memcpy(rest, s->candidates + (size_t)depth * words, words * sizeof(word));
    for (int32_t own = 1; !is_empty(rest, words); own++) {
        memcpy(fitting, rest, words * sizeof(word));
        for (int32_t i = 0; i < words; i++)
            while (fitting[i]) {
                int32_t vertex = 64 * i + __builtin_ctzll(fitting[i]);
                const word *neighbours = s->graph + (size_t)vertex * words;
                rest[i] ^= fitting[i] & -fitting[i];
                fitting[i] &= fitting[i] - 1;
                for (int32_t j = i; j < words; j++)
                    fitting[j] &= ~neighbours[j];
                if (own > enough) {
                    branches[count] = vertex;
                    colours[count++] = own;
                }
            }
    }
    s->left[depth] = count;
}

/* Take so many steps; whether there are more. */
int32_t clique_search(search *s, int32_t steps)
{
    if (s->depth < 0) {
        s->depth = 0;
        colour(s, 0, 0);
    }
    for (; steps > 0; steps--) {
        int32_t depth = s->depth, place = s->left[depth] - 1;
        size_t row = (size_t)depth * s->vertices;
        if (place < 0 || depth + s->colours[row + place] <= s->size || s->size >= s->upper) {
            if (depth == 0)
                return 0;
            s->depth--;
            continue;
        }
        if (depth == 0 && s->colours[place] < s->proved)
            s->proved = s->colours[place];

        int32_t vertex = s->branches[row + place];
        const word *neighbours = s->graph + (size_t)vertex * s->words;
        word *candidates = s->candidates + (size_t)depth * s->words, *next = candidates + s->words;
        for (int32_t i = 0; i < s->words; i++)
            next[i] = candidates[i] & neighbours[i];
        candidates[vertex / 64] ^= (word)1 << vertex % 64;
        s->left[depth] = place;
        s->depth = ++depth;
        if (depth > s->size) {
            s->size = depth;
            for (int32_t i = 0; i < depth; i++)
                s->best[i] = s->branches[(size_t)i * s->vertices + s->left[i]];
        }
        colour(s, depth, s->size - depth);
    }
    return 1;
}
