/* One pass over the series at hand: this rank's states, those of the ranks behind merged into them,
 * what comes of all, and what follows from that. */
#ifndef SS_BLOCK_H
#define SS_BLOCK_H

#include "exchange/rank.h"

/* Series that travel together: all states of a rank are packed at once. */
enum { SS_SERIES_AT_ONCE = 1024 };

/* Begins a message: with what all have to know. */
void ss_rank_begin_message(ss_rank *r, ss_buffer *b);
/* Appends bytes; where there is no memory, the buffer stays as it is and the rank is in trouble. */
void ss_rank_append(ss_rank *r, ss_buffer *b, const void *bytes, size_t n);

/* Takes up the next series; returns how many. */
size_t ss_block_next(ss_rank *r);
/* Packs what this rank's elements come to into r->mine. */
void ss_block_own(ss_rank *r);
/* Merges the states of the ranks behind, packed in so many bytes, into r->mine. */
void ss_block_merge(ss_rank *r, const unsigned char *theirs, size_t length);
/* Rank 0 has merged all: what that comes to, as a message to all, in r->out. */
void ss_block_conclude(ss_rank *r);
/* Goes on with that message: to the next pass, or to results. */
void ss_block_advance(ss_rank *r);

#endif
