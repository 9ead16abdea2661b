/* reduction_ways.h - the ways to compute a reduction whose files are open and whose results have
 * room; reduction.c chooses. None changes a bit. */
#ifndef SAMESUM_CLI_REDUCTION_WAYS_H
#define SAMESUM_CLI_REDUCTION_WAYS_H

#include "reduction.h"

/* All elements lie in memory or in mapped files. */
void reduction_in_place(struct reduction *d);
/* One result through a state, chunk by chunk; the files may be read meanwhile. */
void reduction_in_chunks(struct reduction *d);
/* How many elements to read at a time for gathering them. */
size_t reduction_chunk(const struct request *r);
/* Whether somebody at a terminal would wait for it. */
bool reduction_is_long(const struct reduction *d);

/* For both: notes what a row's result was made of. */
void reduction_take_counts(struct reduction *d, size_t row, const samesum_counts *counts);

#endif
