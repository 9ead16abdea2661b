/* States as messages: without the identity and the checksum of docs/state-format.md. */
#ifndef SS_PACKED_H
#define SS_PACKED_H

#include "exchange/rank.h"

/* Bytes of a state, with what its elements were unless counts is NULL. */
size_t ss_packed_bytes(const samesum_state *state, const samesum_counts *counts);
/* Writes them; returns how many. */
size_t ss_pack(unsigned char *at, const samesum_state *state, const samesum_counts *counts);
/* Reads what was packed into a state made for the same; returns what follows, or NULL where it is
 * no such thing before `end`. */
const unsigned char *ss_unpack(const unsigned char *at, const unsigned char *end,
                               samesum_state *state, samesum_counts *counts);

/* Adds what the elements of the ranks behind were. */
void ss_counts_join(samesum_counts *counts, const samesum_counts *more);

/* The scratch state 0 or 1 for this pass over a series; NULL where there is no memory. */
samesum_state *ss_scratch_state(ss_scratch *scratch, int which, const ss_field *field,
                                const ss_serial *serial);

#endif
