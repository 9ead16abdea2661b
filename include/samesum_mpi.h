/* samesum_mpi.h - the reductions of samesum.h over the ranks of an MPI communicator, with their
 * bits.
 *
 * The elements lie on the ranks in rank order: first those of rank 0, then those of rank 1, and so
 * on, as many on each as you like, also none. The library finds out where each rank's elements
 * begin. Every rank gets, bit for bit, what samesum_reduce_array() gives for the whole, whatever
 * the number of ranks, the cuts, the MPI library and its algorithms. At level exact, sums, means,
 * norms and variances do not depend on where an element lies either: any rank may hold it.
 *
 * Conventions, beside those of samesum.h:
 *   - Every call but samesum_mpi_test(), _wait() and those about the library is collective: all
 * ranks of the communicator make it, in the same order as their other collective calls.
 *   - All ranks get the same status. Bad arguments on one rank, or no memory there, are an error on
 *     every rank (that of the lowest rank in trouble), and nobody waits for ever; so are
 * operations, types, levels, numbers of fields or roots that differ: SAMESUM_ERR_MISMATCH. Threads
 * and backends may differ, and so may strides, masks and what is missing.
 *   - The first call with a communicator duplicates it, and the copy is kept as an attribute until
 * the communicator is freed: messages never meet yours. Calls on one communicator are made by one
 *     thread at a time. MPI has to be initialised; MPI_THREAD_FUNNELED is enough for calls from the
 *     main thread.
 *   - want.threads counts on each rank: where a node's ranks share its cores, ask for 1.
 *   - Ranks run on machines of one byte order, with this library in one version.
 *   - SAMESUM_ERR_NULL for MPI_COMM_NULL and SAMESUM_ERR_MPI for an intercommunicator are found
 * before anything is sent; SAMESUM_ERR_MPI where the MPI library reports an error. Its error
 * handler for the copy is MPI_ERRORS_RETURN.
 *
 * Cost: docs/mpi.md. One call is a sweep of ceil(log2 P) messages a rank, by which all ranks agree
 * and find their places, and a pass up and down a binomial tree; nrm2, var and std below level
 * exact take two or three such passes. A message holds the nodes of a range, O(log n) of them.
 *
 * Link with -lsamesum_mpi -lsamesum and your MPI's compiler wrapper. */
#ifndef SAMESUM_MPI_H
#define SAMESUM_MPI_H

#include "samesum.h"

/* A program that does not know the MPI library until it runs defines SAMESUM_MPI_NO_COMM, and sees
 * what needs no communicator. */
#ifndef SAMESUM_MPI_NO_COMM
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Instead of the rank that gets the results: every rank does. */
enum { SAMESUM_MPI_ALL = -1 };

/* One array that lies across the ranks, of which each describes its part, and what is wanted of it.
 * part: this rank's elements, a description as in samesum_reduce_array(). The whole is the parts of
 * all ranks, one behind the other along the first (slowest) of the axes that are reduced; along the
 * other axes all parts have the same extents. A rank without elements has an extent of 0 there.
 * axes, axis_count: as in samesum_reduce_array(); 0: all.
 * results: as there; may be NULL on a rank that gets none. counts: NULL, or what each result was
 * made of on all ranks, with indices in the whole; written where results are. argmin and argmax
 * give indices in the whole, too. */
typedef struct samesum_mpi_field {
    samesum_array part;
    const int *axes;
    int axis_count;
    samesum_want want;
    void *results;
    samesum_counts *counts;
} samesum_mpi_field;

#ifndef SAMESUM_MPI_NO_COMM

/* ---- one call per operation and type ----------------------------------------------------------
 *
 * Purpose: the calls of samesum.h on elements that lie across the ranks: n at x here. Every rank
 * gets the result. Threads as in samesum_want; x may be NULL where n is 0.
 *
 *     double total;
 *     if (samesum_mpi_sum_f64(x, n, SAMESUM_COMPENSATED, &total, MPI_COMM_WORLD) < 0) ... */
SAMESUM_API samesum_status samesum_mpi_sum_f64(const double *x, size_t n, samesum_level level,
                                               double *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_sum_f32(const float *x, size_t n, samesum_level level,
                                               float *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_mean_f64(const double *x, size_t n, samesum_level level,
                                                double *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_mean_f32(const float *x, size_t n, samesum_level level,
                                                float *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_nrm2_f64(const double *x, size_t n, samesum_level level,
                                                double *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_nrm2_f32(const float *x, size_t n, samesum_level level,
                                                float *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_dot_f64(const double *x, const double *y, size_t n,
                                               samesum_level level, double *result, MPI_Comm comm);
SAMESUM_API samesum_status samesum_mpi_dot_f32(const float *x, const float *y, size_t n,
                                               samesum_level level, float *result, MPI_Comm comm);

/* ---- the general call -------------------------------------------------------------------------
 *
 * Purpose: reduces `count` fields in one exchange, whatever their operations, types, levels and
 * shapes: fields that need a second pass share its messages. All operations and levels are there.
 * root: the rank that gets the results, or SAMESUM_MPI_ALL.
 * Memory: for each result of up to 1024 at a time, its nodes. More results go in several exchanges.
 * Errors: as samesum_reduce_array(); SAMESUM_ERR_SIZE for more than 2^24 fields; _RANGE also where
 * root is no rank; _MISMATCH; _NOMEM; _MPI. On an error no result is written on any rank, but with
 * more than 1024 results those of exchanges before may be; SAMESUM_ERR_EMPTY as in
 * samesum_reduce_array().
 *
 *     // energy and momentum of this rank's particles, in one exchange
 *     samesum_mpi_field f[2] = {
 *         {.part = {.x = e, .type = SAMESUM_F64, .dims = 1, .shape = &n},
 *          .want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED}, .results = &energy},
 *         {.part = {.x = v, .y = m, .type = SAMESUM_F64, .dims = 1, .shape = &n},
 *          .want = {.op = SAMESUM_DOT, .level = SAMESUM_COMPENSATED}, .results = &momentum}};
 *     samesum_mpi_reduce(f, 2, SAMESUM_MPI_ALL, comm); */
SAMESUM_API samesum_status samesum_mpi_reduce(const samesum_mpi_field *fields, size_t count,
                                              int root, MPI_Comm comm);

/* Purpose: what the states of all ranks come to together: results[i] receives what
 * samesum_state_finish() would give for states[i] of all ranks, merged in rank order. The states
 * stay as they are. Each rank's state begins where that of the rank before ends
 * (samesum_mpi_offset() tells where); at level exact ranges do not matter. This is the cheapest
 * call: there is no sweep, and one pass. The states were made by libsamesum of this version.
 * results[i] may be NULL on a rank that gets none. Errors: as samesum_mpi_reduce();
 * SAMESUM_ERR_RANGE where ranges leave a gap or overlap.
 *
 *     samesum_mpi_offset(n, comm, &begin);
 *     samesum_state_create(&s, &want, SAMESUM_F64, begin);
 *     for (each step) {
 *         samesum_state_reset(s, begin);
 *         samesum_state_update(s, x, NULL, n);
 *         samesum_mpi_reduce_states((const samesum_state *const *)&s, 1, &result, SAMESUM_MPI_ALL,
 * comm);
 *     } */
SAMESUM_API samesum_status samesum_mpi_reduce_states(const samesum_state *const *states,
                                                     size_t count, void *const *results, int root,
                                                     MPI_Comm comm);

/* Purpose: *begin becomes the sum of n on all ranks before this one.
 * Errors: SAMESUM_ERR_NULL; SAMESUM_ERR_RANGE where *begin + n passes 2^64 - 1, on the ranks
 * where it does.
 */
SAMESUM_API samesum_status samesum_mpi_offset(uint64_t n, uint64_t *begin, MPI_Comm comm);

/* ---- vectors, element by element --------------------------------------------------------------
 *
 * Purpose: MPI_Allreduce() of a vector, with bits that depend on no algorithm: all ranks bring n
 * elements, and result i is that of the series of P elements whose element r is x[i] of rank r, in
 * the fixed tree of rank order or, at level exact, exactly. The same as samesum_mpi_reduce() of
 * parts with the shape (1, n) along axis 0, but each rank reduces a block of the vector, for all
 * ranks: blocks are exchanged all to all, then results gathered. No rank holds more than a chunk of
 * the vectors, of about 4 million elements. want: any operation but dot. results: n of them on
 * every rank; may be x where a result and an element are of one size. Errors: as
 * samesum_mpi_reduce(); SAMESUM_ERR_OP for dot; _MISMATCH where n differs.
 *
 *     samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_TREE};
 *     samesum_mpi_allreduce_vector(gradient, n, SAMESUM_F32, &want, gradient, comm); */
SAMESUM_API samesum_status samesum_mpi_allreduce_vector(const void *x, size_t n, samesum_type type,
                                                        const samesum_want *want, void *results,
                                                        MPI_Comm comm);

/* ---- nonblocking forms ------------------------------------------------------------------------
 *
 * Purpose: each starts what the call above does, and returns. What the arguments point to is in
 * use, and results have no value, until samesum_mpi_wait() returned, or samesum_mpi_test() with
 * *done = 1; but arrays of fields, states' pointers, shapes, strides and axes may go at once.
 * Several requests may be under way on one communicator, started in the same order on all ranks,
 * and be completed in any order. A rank's own elements are reduced inside of a call: of
 * start_states in samesum_mpi_start_states() already, else as soon as a call finds that all ranks
 * agree. Errors: SAMESUM_ERR_NULL for `request`, SAMESUM_ERR_NOMEM and those of conventions; all
 * others are told by wait and test.
 *
 *     samesum_mpi_request *r;
 *     samesum_mpi_start(fields, count, SAMESUM_MPI_ALL, comm, &r);
 *     ... // other work; samesum_mpi_test(&r, &done) now and then moves it on
 *     samesum_status st = samesum_mpi_wait(&r); */
typedef struct samesum_mpi_request samesum_mpi_request;
SAMESUM_API samesum_status samesum_mpi_start(const samesum_mpi_field *fields, size_t count,
                                             int root, MPI_Comm comm,
                                             samesum_mpi_request **request);
SAMESUM_API samesum_status samesum_mpi_start_states(const samesum_state *const *states,
                                                    size_t count, void *const *results, int root,
                                                    MPI_Comm comm, samesum_mpi_request **request);
SAMESUM_API samesum_status samesum_mpi_start_vector(const void *x, size_t n, samesum_type type,
                                                    const samesum_want *want, void *results,
                                                    MPI_Comm comm, samesum_mpi_request **request);
/* Moves all requests of the communicator on without waiting. *done = 1: this one is complete, the
 * status is the call's, and *request becomes NULL. Else *done = 0 and SAMESUM_OK. */
SAMESUM_API samesum_status samesum_mpi_test(samesum_mpi_request **request, int *done);
/* Waits until the request is complete, and returns the call's status; *request becomes NULL. */
SAMESUM_API samesum_status samesum_mpi_wait(samesum_mpi_request **request);

#endif

/* ---- about the library ------------------------------------------------------------------------
 */

/* The version of this library, such as "0.1.0": that of the samesum.h it was built with. */
SAMESUM_API const char *samesum_mpi_version(void);
/* The MPI library that runs, in its own words; cut to `bytes`. MPI need not be initialised. */
SAMESUM_API void samesum_mpi_library(char *text, size_t bytes);

/* For programs that load this library when they run and so have no communicator: the calls on all
 * ranks that were started together. world_start() initialises MPI unless it is, and world_end()
 * finalises it where world_start() initialised it. world_agree() returns the status, from 1 to 127,
 * of the lowest rank that brings another than 0, and that rank in *rank; 0 where all bring 0.
 * world_gather(): each rank brings `count` items of so many bytes, at their place in `items`, where
 * those of rank 0 lie first, then those of rank 1, and so on; every rank gets all. At most 2^31 - 1
 * items. Errors: SAMESUM_ERR_MPI, _NOMEM; of world_reduce() all those of samesum_mpi_reduce(). */
SAMESUM_API samesum_status samesum_mpi_world_start(int *rank, int *ranks);
SAMESUM_API samesum_status samesum_mpi_world_reduce(const samesum_mpi_field *fields, size_t count);
SAMESUM_API samesum_status samesum_mpi_world_gather(void *items, size_t bytes, size_t count);
SAMESUM_API int samesum_mpi_world_agree(int status, int *rank);
SAMESUM_API void samesum_mpi_world_end(void);

#ifdef __cplusplus
}
#endif
#endif
