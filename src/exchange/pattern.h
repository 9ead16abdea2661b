/* Who sends what to whom, when, and in which order states meet: integers alone. Whatever carries
 * the messages (MPI, NCCL, a simulation) follows this and nothing else.
 *
 * Two patterns, each of ceil(log2 ranks) rounds or moves at most in one direction:
 *
 *   sweep  in round k every rank sends to the one 2^k further on, around the end, what it knows,
 * and hears from the one 2^k before it. In the end each has heard of all (so they agree), and has
 *          the sum of what the ranks before it hold (so each knows where its elements begin).
 *   tree   rank r takes the states of r + 1, r + 2, r + 4 ... as far as r has no such bit, in this
 *          order, each of which covers the ranks that follow those taken so far; then it gives what
 * it has to the rank that lacks its lowest bit. Rank 0 ends with all, and what follows from it goes
 * the same ways back. */
#ifndef SS_PATTERN_H
#define SS_PATTERN_H

/* Rounds of a sweep. */
static inline int ss_sweep_rounds(int ranks)
{
    int rounds = 0;
    while (rounds < 31 && 1u << rounds < (unsigned)ranks)
        rounds++;
    return rounds;
}

typedef struct ss_sweep {
    int to, from;
    int is_left; /* what comes holds ranks before this one alone, those next to what it has */
} ss_sweep;

static inline ss_sweep ss_sweep_round(int rank, int ranks, int round)
{
    const long long distance = 1LL << round;
    return (ss_sweep){.to = (int)((rank + distance) % ranks),
                      .from = (int)((rank - distance + ranks) % ranks),
                      .is_left = rank >= distance};
}

typedef enum ss_move_kind {
    SS_TAKE, /* receive the states of the ranks that follow, and merge them behind one's own */
    SS_GIVE, /* send one's own */
    SS_HEAR, /* receive what came of them */
    SS_TELL, /* send it on */
    SS_STOP
} ss_move_kind;

typedef struct ss_move {
    ss_move_kind kind;
    int peer;
} ss_move;

/* Move i of a rank in the tree, i = 0, 1, ... until SS_STOP. */
static inline ss_move ss_tree_move(int rank, int ranks, int i)
{
    int taken = 0; /* as many as it has to tell */
    while (taken < 31 && !(rank >> taken & 1) && (1LL << taken) + rank < ranks)
        taken++;
    if (i < taken)
        return (ss_move){SS_TAKE, rank + (1 << i)};
    i -= taken;
    if (rank > 0) {
        if (i < 2)
            return (ss_move){i == 0 ? SS_GIVE : SS_HEAR, rank & (rank - 1)};
        i -= 2;
    }
    /* those with most ranks behind them first */
    return i < taken ? (ss_move){SS_TELL, rank + (1 << (taken - 1 - i))} : (ss_move){SS_STOP, -1};
}

#endif
