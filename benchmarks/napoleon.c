/* Napoleon at St Helena, default options, as a competent C programmer would write it first.
 *
 * Piles are dense arrays, legal moves are found by looking at every column, a position is recognized by comparing
 * columns. It plays the decks of sim/rng.py with the policies `greedy` and `random`, lists moves in the order of
 * sim/builder.py and ends deals by the rules of sim/play.py, so that its games are those of the compiled engine, move
 * by move. constants.h is written by kernel.py from the Python constants.
 *
 * usage: napoleon greedy|random DEALS FIRST_SEED [FILE FOR THE MOVE CODES, int32]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "constants.h"

enum { STOCK_PILE, FOUNDATIONS = 1, WASTE_PILE = 9, FIRST_COLUMN = 10, PILES = 20, COLUMNS = 10, ROWS = 4 };
enum { CARDS = 104, TRACE_PER_DEAL = 400 };

typedef uint8_t Card; /* pack << 6 | suit << 4 | rank, suits in the order C S H D */

typedef struct {
    Card cards[PILES][CARDS];
    int height[PILES];
    int home;
} Table;

typedef struct { /* what the stall rule remembers */
    int most_home, stock, spaces, idle, returns;
    Table seen;
} Progress;

static uint64_t rng;    /* of the policy */
static int32_t last;    /* the greedy policy's move before, */
static uint64_t once, twice; /* and the faces it laid elsewhere since anything came home, to light or from the hand */

/* ---- random numbers ---- */

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint64_t stream(uint64_t seed, uint64_t purpose, uint64_t number) {
    return mix(mix(mix(seed + GOLDEN) + (purpose + 1) * GOLDEN) + number * GOLDEN);
}

static int scale(uint64_t bits, uint64_t n) { return (int)(((bits >> 32) * n) >> 32); }

static void open_deck(Card *deck, uint64_t seed) {
    uint64_t start = stream(seed, DECK_STREAM, 0);
    for (int i = 0; i < CARDS; i++)
        deck[i] = (Card)(i / 52 << 6 | i % 52 / 13 << 4 | (i % 13 + 1));
    for (int i = CARDS - 1; i > 0; i--) {
        int j = scale(mix(start + (uint64_t)(i + 1) * GOLDEN), (uint64_t)i + 1);
        Card held = deck[i];
        deck[i] = deck[j];
        deck[j] = held;
    }
}

/* ---- cards, piles, moves ---- */

static int face(Card card) { return card & 63; }
static int rank(Card card) { return card & 15; }
static int suit(Card card) { return card >> 4 & 3; }

static Card top(const Table *t, int pile) { return t->cards[pile][t->height[pile] - 1]; }
static void push(Table *t, int pile, Card card) { t->cards[pile][t->height[pile]++] = card; }
static Card pop(Table *t, int pile) { return t->cards[pile][--t->height[pile]]; }

static int32_t move(int kind, int src, int dst, int face, int count) {
    return kind | src << 4 | dst << 11 | face << 18 | count << 24;
}
static int kind_of(int32_t m) { return m & 15; }
static int src_of(int32_t m) { return m >> 4 & 127; }
static int dst_of(int32_t m) { return m >> 11 & 127; }
static int face_of(int32_t m) { return m >> 18 & 63; }

/* ---- rules ---- */

static void deal(Table *t, const Card *deck) {
    memset(t->height, 0, sizeof t->height);
    t->home = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        push(t, FIRST_COLUMN + i % COLUMNS, deck[i]);
    for (int i = CARDS - 1; i >= ROWS * COLUMNS; i--)
        push(t, STOCK_PILE, deck[i]);
}

/* The first of the two foundations of a suit; they stand in the order C D H S. */
static int first_home(int suit) {
    static const int place[4] = {0, 3, 2, 1};
    return FOUNDATIONS + 2 * place[suit];
}

/* The foundation that takes the card, or -1. */
static int home_for(const Table *t, Card card) {
    int first = first_home(suit(card));
    for (int pile = first; pile < first + 2; pile++)
        if (t->height[pile] == rank(card) - 1)
            return pile;
    return -1;
}

/* May the card lie on the other in a column? Down in suit. */
static int fits(Card card, Card below) { return face(below) == face(card) + 1; }

/* Builds on columns, the one on the card of the first pack first; then a fill of the first space. */
static int column_moves(const Table *t, int32_t *moves, int n, int src) {
    Card card = top(t, src);
    int first = n, space = -1;
    for (int dst = FIRST_COLUMN; dst < PILES; dst++) {
        if (t->height[dst] == 0) {
            if (space < 0)
                space = dst;
        } else if (fits(card, top(t, dst))) {
            moves[n++] = move(BUILD, src, dst, face(card), 1);
        }
    }
    if (n - first == 2 && top(t, dst_of(moves[first])) >> 6 == 1) {
        int32_t held = moves[first];
        moves[first] = moves[first + 1];
        moves[first + 1] = held;
    }
    if (space >= 0 && (src == WASTE_PILE || t->height[src] > 1))
        moves[n++] = move(FILL, src, space, face(card), 1);
    return n;
}

static int legal_moves(const Table *t, int32_t *moves) {
    int n = 0;
    for (int src = WASTE_PILE; src < PILES; src++) {
        if (t->height[src] == 0)
            continue;
        Card card = top(t, src);
        int home = home_for(t, card);
        if (home >= 0)
            moves[n++] = move(PLAY, src, home, face(card), 1);
        n = column_moves(t, moves, n, src);
    }
    if (t->height[STOCK_PILE])
        moves[n++] = move(TURN, STOCK_PILE, WASTE_PILE, 0, 1);
    return n;
}

static void apply_move(Table *t, int32_t m) {
    push(t, dst_of(m), pop(t, src_of(m)));
    t->home += kind_of(m) == PLAY;
}

/* ---- policies ---- */

static int well_placed(const Table *t, int pile) {
    const Card *cards = t->cards[pile];
    int i = t->height[pile] - 1;
    while (i > 0 && fits(cards[i], cards[i - 1]))
        i--;
    if (i == 0)
        return WEIGHT_IN_ORDER;
    return rank(cards[i]) == 13 ? WEIGHT_UNDER_KING : WEIGHT_BURY;
}

static int uncovering(const Table *t, int pile) {
    int height = t->height[pile];
    if (height == 1)
        return WEIGHT_EMPTY_COLUMN;
    Card card = t->cards[pile][height - 1], beneath = t->cards[pile][height - 2];
    int score = home_for(t, beneath) >= 0 ? WEIGHT_UNCOVER_HOME : WEIGHT_BENEATH * (height - 1);
    return fits(card, beneath) ? score + WEIGHT_BREAK_RUN : score;
}

static int going_home(const Table *t, int32_t m) {
    Card card = (Card)face_of(m);
    int first = first_home(suit(card));
    for (int pile = first; pile < first + 2; pile++)
        if (t->height[pile] < t->height[dst_of(m)] && rank(card) > 2)
            return WEIGHT_HOME;
    return WEIGHT_SAFE_HOME + WEIGHT_SAFE_RANK * rank(card);
}

static int value(const Table *t, int32_t m) {
    if (kind_of(m) == PLAY)
        return going_home(t, m);
    if (kind_of(m) == TURN)
        return WEIGHT_TURN;
    if (src_of(m) == dst_of(last) && dst_of(m) == src_of(last))
        return REFUSE;
    int score = kind_of(m) == FILL ? WEIGHT_SPEND_SPACE + WEIGHT_SPACE_RANK * rank((Card)face_of(m)) : well_placed(t, dst_of(m));
    return score + (src_of(m) == WASTE_PILE ? WEIGHT_FROM_WASTE : uncovering(t, src_of(m)));
}

static int idle(int32_t m) { return (kind_of(m) == BUILD || kind_of(m) == FILL) && src_of(m) != WASTE_PILE; }

static void remember(int32_t m) {
    uint64_t face = (uint64_t)1 << face_of(m);
    last = m;
    if (idle(m)) {
        twice |= once & face;
        once |= face;
    } else if (kind_of(m) != PLAY || !(once & face))
        once = twice = 0;
}

static int greedy(const Table *t, const int32_t *moves, int n) {
    int best = -1, highest = REFUSE;
    for (int i = 0; i < n; i++) {
        int score = value(t, moves[i]);
        if (score > highest && !(idle(moves[i]) && twice >> face_of(moves[i]) & 1)) {
            best = i;
            highest = score;
        }
    }
    if (best >= 0)
        remember(moves[best]);
    return best;
}

static int uniform(const Table *t, const int32_t *moves, int n) {
    (void)t, (void)moves;
    rng += GOLDEN;
    return scale(mix(rng), (uint64_t)n);
}

/* ---- the stall rule ---- */

static int spaces(const Table *t) {
    int n = 0;
    for (int pile = FIRST_COLUMN; pile < PILES; pile++)
        n += t->height[pile] == 0;
    return n;
}

static int same_column(const Table *a, int i, const Table *b, int j) {
    if (a->height[i] != b->height[j])
        return 0;
    for (int k = a->height[i] - 1; k >= 0; k--)
        if (face(a->cards[i][k]) != face(b->cards[j][k]))
            return 0;
    return 1;
}

/* Equal but for the order of the columns; stock and foundations are equal while there is no progress. */
static int same_position(const Table *a, const Table *b) {
    int taken[PILES] = {0};
    if (a->height[WASTE_PILE] != b->height[WASTE_PILE])
        return 0;
    for (int i = FIRST_COLUMN; i < PILES; i++) {
        int j = FIRST_COLUMN;
        while (j < PILES && (taken[j] || !same_column(a, i, b, j)))
            j++;
        if (j == PILES)
            return 0;
        taken[j] = 1;
    }
    return 1;
}

static void note_progress(const Table *t, Progress *p) {
    if (t->home > p->most_home)
        p->most_home = t->home;
    p->stock = t->height[STOCK_PILE];
    p->spaces = spaces(t);
    p->idle = p->returns = 0;
}

static int stalled(const Table *t, Progress *p) {
    if (t->home > p->most_home || t->height[STOCK_PILE] != p->stock || spaces(t) > p->spaces) {
        note_progress(t, p);
        return 0;
    }
    p->idle++;
    if ((p->idle & (p->idle - 1)) == 0) {
        p->seen = *t;
        p->returns = 0;
    } else if (same_position(t, &p->seen)) {
        p->returns++;
    }
    return p->returns == STALL_RETURNS || p->idle == STALL_MOVES_PER_CARD * CARDS;
}

/* ---- deals ---- */

/* Play one deal; returns the number of moves written to `trace`. */
static int play(Table *t, uint64_t seed, int (*choose)(const Table *, const int32_t *, int), int32_t *trace) {
    Card deck[CARDS];
    int32_t moves[MAX_MOVES];
    Progress progress = {0};
    int used = 0;
    rng = stream(seed, POLICY_STREAM, 0);
    last = 0;
    once = twice = 0;
    open_deck(deck, seed);
    deal(t, deck);
    note_progress(t, &progress);
    while (used < MOVE_LIMIT) {
        int n = legal_moves(t, moves);
        int i = n ? choose(t, moves, n) : -1;
        if (i < 0)
            break;
        trace[used++] = moves[i];
        apply_move(t, moves[i]);
        if (t->home == CARDS || stalled(t, &progress))
            break;
    }
    return used;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: napoleon greedy|random DEALS FIRST_SEED [FILE FOR THE MOVE CODES]\n");
        return 2;
    }
    int (*choose)(const Table *, const int32_t *, int) = strcmp(argv[1], "random") ? greedy : uniform;
    long deals = atol(argv[2]);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    size_t room = (size_t)deals * TRACE_PER_DEAL + MOVE_LIMIT, used = 0;
    int32_t *trace = malloc(room * sizeof *trace);
    memset(trace, 1, room * sizeof *trace); /* no page is touched for the first time while the clock runs */
    static Table table;
    long wins = 0, home = 0;
    clock_t start = clock();
    for (long i = 0; i < deals; i++) {
        if (used + MOVE_LIMIT > room) {
            fprintf(stderr, "the trace buffer is full\n");
            return 1;
        }
        used += (size_t)play(&table, seed + (uint64_t)i, choose, trace + used);
        wins += table.home == CARDS;
        home += table.home;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("deals %ld moves %zu seconds %.6f rate %.3f wins %ld home %.6f\n", deals, used, seconds,
           (double)used / seconds / 1e6, wins, (double)home / (double)deals);
    if (argc > 4) {
        FILE *file = fopen(argv[4], "wb");
        if (!file || fwrite(trace, sizeof *trace, used, file) != used || fclose(file))
            return 1;
    }
    free(trace);
    return 0;
}
