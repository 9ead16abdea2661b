/* simulation.h - any number of ranks in one process: each is run by the code that decides in the
 * MPI library (src/exchange/), message by message, and a model says when each message arrives. */
#ifndef TESTS_MPI_SIMULATION_H
#define TESTS_MPI_SIMULATION_H

#include "exchange/rank.h"

/* Seconds. What a rank computes takes as long as it takes here, unless it is told not to count. */
struct network {
    double latency, per_byte; /* until a message of b bytes has arrived: latency + b per_byte */
    double overhead;          /* of the processor, for each message that it sends or receives */
    int count_computing;
};

struct cost {
    uint64_t messages, bytes; /* of all ranks together */
    uint64_t most_messages;   /* that one rank sends */
    size_t longest;           /* message, in bytes */
    double time;              /* until the last rank has its results; from the last of `start` on */
    double computing;         /* seconds that all ranks together computed */
};

/* Runs ranks that were started, until all are done. network: NULL for none. Returns 0 where some
 * rank waits for what nobody sends. */
int simulate(ss_rank *rank, int ranks, const struct network *network, struct cost *cost);

#endif
