/* simulation.h - any number of ranks in one process: each is run by the code that decides in the
 * MPI library (src/exchange/), message by message, and a model says when each message arrives. */
#ifndef TESTS_MPI_SIMULATION_H
#define TESTS_MPI_SIMULATION_H

#include "exchange/rank.h"

/* Seconds. What a rank's own elements take is not counted. */
struct network {
    double latency, per_byte; /* until a message of b bytes has arrived: latency + b per_byte */
    double overhead;          /* of the processor, for each message that it sends or receives */
    double merge;             /* to merge what comes up the tree into what a rank has */
};

struct cost {
    uint64_t messages, bytes; /* of all ranks together */
    uint64_t most_messages;   /* that one rank sends */
    size_t longest;           /* message, in bytes */
    double time;              /* until the last rank is done, where all start at once */
    uint64_t merges;          /* of all ranks, and what they took here */
    double merging;
};

/* The rank whose code runs; -1: none. */
extern int simulated_rank;

/* Runs ranks that were started, until all are done. network: NULL for none. Returns 0 where some
 * rank waits for what nobody sends. */
int simulate(ss_rank *rank, int ranks, const struct network *network, struct cost *cost);

#endif
