/* parts.h - arrays cut among ranks, the library's calls on the parts, and what ranks say together.
 */
#ifndef TESTS_MPI_PARTS_H
#define TESTS_MPI_PARTS_H

#include "cells.h"
#include "cuts.h"
#include "rows.h"
#include "samesum_mpi.h"

/* The communicator under test, and this process in it. Tests make the same random numbers on every
 * rank, so that all know the whole. */
extern MPI_Comm comm;
extern int rank, ranks;
void use_communicator(MPI_Comm other);

struct cuts cuts_of(size_t n);

/* Reduces the array, cut among the ranks, and compares all that is written; some rank, or all, get
 * it. Returns how many bits of results were compared, here or on the rank that got them. */
long compare_parts(const struct answer *expected, const struct cell *cell,
                   const samesum_array *whole, int axis, const char *name);
/* The same for the rows between offsets of a vector: each is cut, and all go in one exchange. */
long compare_rows(const struct answer *expected, const struct cell *cell,
                  const samesum_array *whole, const size_t *offsets, size_t segments,
                  const char *name);

#endif
