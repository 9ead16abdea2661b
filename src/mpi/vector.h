/* Vectors, element by element: each rank reduces a block of them for all. */
#ifndef SS_VECTOR_H
#define SS_VECTOR_H

#include "mpi/link.h"

typedef struct ss_vector ss_vector;

/* What the arguments of samesum_mpi_allreduce_vector() ask for. Errors: as there; *vector is then
 * NULL. */
samesum_status ss_vector_make(ss_vector **vector, const ss_link *link, const void *x, size_t n,
                              samesum_type type, const samesum_want *want, void *results);
/* NULL is allowed. */
void ss_vector_free(ss_vector *vector);

/* A number that differs where calls do that do not go together. */
uint64_t ss_vector_mix(const ss_vector *vector);

/* One step; returns whether there was one to make. All ranks agree before the first. status:
 * becomes what samesum_reduce_array() answered, the worst so far. error: the MPI library's. */
int ss_vector_step(ss_vector *vector, const ss_link *link, samesum_status *status, int *error);
int ss_vector_is_done(const ss_vector *vector);

#endif
