/* over.h - arrays cut among the GPUs of the communicator under test, and the library's calls on the
 * parts, compared bit for bit on every GPU of this process. */
#ifndef TESTS_NCCL_OVER_H
#define TESTS_NCCL_OVER_H

#include "cells.h"
#include "cuts.h"
#include "rows.h"
#include "samesum_nccl.h"
#include "world.h"

#include <stdbool.h>

/* The communicator under test, and this process in it. Tests make the same random numbers in every
 * process, so that all know the whole. */
extern struct world world;

/* The last level that is tested: where kernels are emulated, there is no level exact. */
extern samesum_level last_level;
bool is_left_out(const struct cell *cell);

/* Members of this process, for the test to fill in. */
enum { MOST_FIELDS = 12 };
struct call {
    samesum_nccl_member member[MOST_SEATS];
    samesum_nccl_field field[MOST_SEATS][MOST_FIELDS];
    samesum_nccl_state state[MOST_SEATS][MOST_FIELDS];
    samesum_nccl_vector vector[MOST_SEATS][MOST_FIELDS];
};
void call_make(struct call *call);

/* Several fields of one exchange, cut each in its own way: call over_field() for each, then
 * over_run(), which compares all and forgets them. The array and the answer have to last until
 * then. */
void over_field(const struct answer *expected, const struct cell *cell, const samesum_array *whole,
                const int *axes, int axis_count, const char *name);
long over_run(void);
/* One field, whose answer may be the CPU library's. */
long over_compare(const struct answer *expected, const struct cell *cell,
                  const samesum_array *whole, const int *axes, int axis_count, const char *name);
long over_as_cpu(const struct cell *cell, const samesum_array *whole, const int *axes,
                 int axis_count, const char *name);

/* Bytes of memory of a seat's GPU in scratch memory, full of 0x5a. */
void *seat_room(const struct seat *seat, size_t bytes);
void *seat_copy(const struct seat *seat, const void *host, size_t bytes);
void seat_get(const struct seat *seat, void *host, const void *device, size_t bytes);

/* What all compared calls have to answer for a single result of n elements. */
samesum_status over_status(samesum_op op, unsigned ddof, size_t n);

#endif
