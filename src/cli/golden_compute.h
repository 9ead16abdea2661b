/* golden_compute.h - an entry's numbers, computed anew. */
#ifndef SAMESUM_CLI_GOLDEN_COMPUTE_H
#define SAMESUM_CLI_GOLDEN_COMPUTE_H

#include "golden_entry.h"

struct golden_answer {
    int status; /* of `samesum OP ...`: EXIT_DONE where the entry is complete */
    char *said; /* what that printed on stderr: notes, or why there is no result; to be freed */
};

/* Computes what e's operation, level, options and paths say, and fills in all other fields. folder:
 * where the paths start. r: the command line, for threads, backend, chunk and --fail-on-nonfinite.
 * The work is done in a process of its own, so that a bad file costs one entry and not the run. */
struct golden_answer golden_compute(struct golden_entry *e, const char *folder,
                                    const struct request *r);

#endif
