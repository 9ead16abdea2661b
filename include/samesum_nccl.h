/* samesum_nccl.h - the reductions of samesum.h over the GPUs of an NCCL communicator, with their
 * bits.
 *
 * The elements lie on the GPUs in rank order: first those of rank 0, then those of rank 1, and so
 * on, as many on each as you like, also none. The library finds out where each rank's elements
 * begin. Every rank gets, bit for bit, what samesum_reduce_array() gives for the whole, whatever
 * the number of GPUs, the cuts, and NCCL's algorithms. A process has one GPU, or several: then it
 * brings a member for each.
 *
 * Conventions, beside those of samesum.h and samesum_cuda.h:
 *   - Data, masks, weights, results and counts are memory of the member's GPU, that of its
 *     communicator; its stream is one of that GPU's. Which device is current does not matter, and
 *     stays.
 *   - Every call but samesum_nccl_plan_destroy() and those about the library is collective: all
 *     ranks of the communicator make it, in the same order as their other operations on it. A
 *     process with several members makes one call for all of them.
 *   - All ranks get the same status. Bad arguments on one rank are an error on every rank (that of
 *     the lowest rank in trouble), and nobody waits for ever; so are operations, types, levels,
 *     extents or numbers of fields that differ, or whether counts are asked for:
 *     SAMESUM_ERR_MISMATCH. Strides, masks and what is missing may differ.
 *   - These errors of one rank are found before anything is sent, so that the others wait:
 *     SAMESUM_ERR_NULL for `members`, a communicator or the pointer to the plan,
 *     SAMESUM_ERR_OPTION for members that are none, of communicators of different sizes, twice one
 *     rank, or with another device's stream,
 *     SAMESUM_ERR_UNAVAILABLE (samesum_nccl_status()); and no memory for the first few KiB.
 *   - SAMESUM_ERR_NCCL where NCCL refuses something, SAMESUM_ERR_CUDA where CUDA does: one rank
 *     may be alone with it. Others then wait for it, or have wrong results: abort the communicator
 *     (ncclCommAbort()).
 *   - Ranks run on machines of one byte order, with this library in one version.
 *
 * NCCL (2.10 or newer) is loaded when it is first needed: the one that the program has loaded
 * already, else the file that the environment variable SAMESUM_NCCL_LIBRARY names, else
 * libnccl.so.2. A program that holds NCCL's static library has to export it (-rdynamic).
 *
 * Cost: docs/nccl.md. A pass over the elements, one small all-gather of O(log n) bytes a rank, and
 * the merging of what came; nrm2, var and std below level exact take two or three such passes.
 *
 * Link with -lsamesum_nccl -lsamesum, and NCCL as your program needs it. */
#ifndef SAMESUM_NCCL_H
#define SAMESUM_NCCL_H

#include "samesum_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An ncclComm_t. */
typedef struct ncclComm *samesum_nccl_comm;

/* One array that lies across the ranks, of which each describes its part, and what is wanted of it.
 * part: this rank's elements, a description as in samesum_cuda_reduce_array(). The whole is the
 * parts of all ranks, one behind the other along the first (slowest) of the axes that are reduced;
 * along the other axes all parts have the same extents. A rank without elements has an extent of 0
 * there, and weights (any pointer but NULL) where the others have some. axes, axis_count: as there;
 * 0: all.
 * out: where this rank's copy of the results goes, as there; counts are those of all ranks'
 * elements, with indices in the whole. argmin and argmax give indices in the whole, too. */
typedef struct samesum_nccl_field {
    samesum_array part;
    const int *axes;
    int axis_count;
    samesum_want want;
    samesum_cuda_out out;
} samesum_nccl_field;

/* The state of this rank's elements, which samesum_cuda_state_reduce() wrote or will write: device
 * memory, aligned to 16. want, type: as there. out: one result; counts are not written. */
typedef struct samesum_nccl_state {
    const void *state;
    samesum_want want;
    samesum_type type;
    samesum_cuda_out out;
} samesum_nccl_state;

/* A vector of n elements, which every rank has, and room for n results. results may be x where a
 * result and an element are of one size. */
typedef struct samesum_nccl_vector {
    const void *x;
    size_t n;
    samesum_type type;
    samesum_want want;
    void *results;
} samesum_nccl_vector;

/* What one GPU of this process brings: the arrays that the call's name speaks of; others are not
 * looked at. */
typedef struct samesum_nccl_member {
    samesum_nccl_comm comm;
    samesum_cuda_stream stream;
    const samesum_nccl_field *fields;
    const samesum_nccl_state *states;
    const samesum_nccl_vector *vectors;
} samesum_nccl_member;

/* ---- plans ------------------------------------------------------------------------------------
 *
 * A plan is made once, for elements that change where they lie, and run as often as you like. */
typedef struct samesum_nccl_plan samesum_nccl_plan;

/* Purpose: prepares the reduction of so many fields, whatever their operations, types, levels and
 * shapes: all share an all-gather in each pass. It allocates device memory (workspaces as those of
 * samesum_cuda_reduce_array(), and a message of each rank), and waits for the members' streams,
 * which must not be under capture. What the members point to may go afterwards, but for data,
 * masks, weights, results and counts.
 * Errors: as samesum_cuda_reduce_array(); SAMESUM_ERR_SIZE for more than 2^24 fields; _RANGE where
 * all elements are more than 2^62; _MISMATCH; _NOMEM; those of the conventions. *plan is then
 * NULL.
 *
 *     // one GPU of each process; n elements at x on this one
 *     samesum_nccl_field f = {.part = {.x = x, .type = SAMESUM_F64, .dims = 1, .shape = &n},
 *                             .want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED},
 *                             .out = {.results = total}};
 *     samesum_nccl_member me = {.comm = comm, .stream = stream, .fields = &f};
 *     samesum_nccl_plan *plan;
 *     if (samesum_nccl_plan_create(&plan, &me, 1, 1) < 0) ...
 *     for (each step) {
 *         ... // kernels on `stream` that write x
 *         samesum_nccl_plan_run(plan); // total is there for the kernels that follow on `stream`
 *     }
 *     samesum_nccl_plan_destroy(plan); */
SAMESUM_API samesum_status samesum_nccl_plan_create(samesum_nccl_plan **plan,
                                                    const samesum_nccl_member *members,
                                                    int member_count, size_t field_count);
/* Purpose: the same of states: out receives what samesum_state_finish() would give for the states
 * of all ranks, merged in rank order. Each rank's state begins where that of the rank before ends
 * (samesum_nccl_offset() tells where), which nobody can check beforehand; where it does not,
 * results are those of samesum_cuda_state_finish(). At level exact ranges do not matter. */
SAMESUM_API samesum_status samesum_nccl_plan_create_states(samesum_nccl_plan **plan,
                                                           const samesum_nccl_member *members,
                                                           int member_count, size_t state_count);
/* Purpose: the same of vectors, element by element: result i is that of the series whose element r
 * is x[i] of rank r, in the fixed tree of rank order or, at level exact, exactly; ncclAllReduce()
 * with bits that depend on no algorithm. Each rank reduces a block of the vector for all: blocks
 * are exchanged all to all, then results gathered. No rank holds more than a chunk of the vectors,
 * of about 4 million elements, and its results. want: any operation but dot (SAMESUM_ERR_OP). */
SAMESUM_API samesum_status samesum_nccl_plan_create_vectors(samesum_nccl_plan **plan,
                                                            const samesum_nccl_member *members,
                                                            int member_count, size_t vector_count);

/* Purpose: launches the plan's kernels and NCCL's on the members' streams: it allocates nothing,
 * and waits for nothing (but for NCCL's answer, where a communicator is nonblocking). It may be
 * captured into a graph, the streams of several members into one. Runs of one plan follow one
 * another on its streams; those of different plans on one communicator do so, too.
 * Status: SAMESUM_NO_VALUE and SAMESUM_ERR_EMPTY, which come with results written, where the shape
 * of the whole tells; SAMESUM_ERR_NULL; SAMESUM_ERR_CUDA; SAMESUM_ERR_NCCL. */
SAMESUM_API samesum_status samesum_nccl_plan_run(const samesum_nccl_plan *plan);

/* Waits for the members' streams, and frees the plan and its memory; NULL is allowed. The
 * communicators have to be there still. */
SAMESUM_API void samesum_nccl_plan_destroy(samesum_nccl_plan *plan);

/* ---- single calls -----------------------------------------------------------------------------
 *
 * Purpose: each makes a plan, runs it, waits for it and destroys it: results are there when the
 * call returns. Status and errors: those of the plan's calls.
 *
 *     // one process with two GPUs; comm[] from ncclCommInitAll()
 *     samesum_nccl_member m[2] = {{.comm = comm[0], .stream = s[0], .fields = &f[0]},
 *                                 {.comm = comm[1], .stream = s[1], .fields = &f[1]}};
 *     samesum_nccl_reduce(m, 2, 1); */
SAMESUM_API samesum_status samesum_nccl_reduce(const samesum_nccl_member *members, int member_count,
                                               size_t field_count);
SAMESUM_API samesum_status samesum_nccl_reduce_states(const samesum_nccl_member *members,
                                                      int member_count, size_t state_count);
SAMESUM_API samesum_status samesum_nccl_allreduce_vectors(const samesum_nccl_member *members,
                                                          int member_count, size_t vector_count);

/* The same for one vector and one GPU of each process.
 *
 *     samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_TREE};
 *     samesum_nccl_allreduce_vector(gradient, n, SAMESUM_F32, &want, gradient, comm, stream); */
SAMESUM_API samesum_status samesum_nccl_allreduce_vector(const void *x, size_t n, samesum_type type,
                                                         const samesum_want *want, void *results,
                                                         samesum_nccl_comm comm,
                                                         samesum_cuda_stream stream);

/* Purpose: the calls of samesum.h on elements that lie across the ranks, one GPU of each process: n
 * at x here. *result is device memory; every rank gets it. x may be NULL where n is 0.
 *
 *     if (samesum_nccl_sum_f64(x, n, SAMESUM_COMPENSATED, total, comm, stream) < 0) ... */
SAMESUM_API samesum_status samesum_nccl_sum_f64(const double *x, size_t n, samesum_level level,
                                                double *result, samesum_nccl_comm comm,
                                                samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_sum_f32(const float *x, size_t n, samesum_level level,
                                                float *result, samesum_nccl_comm comm,
                                                samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_mean_f64(const double *x, size_t n, samesum_level level,
                                                 double *result, samesum_nccl_comm comm,
                                                 samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_mean_f32(const float *x, size_t n, samesum_level level,
                                                 float *result, samesum_nccl_comm comm,
                                                 samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_nrm2_f64(const double *x, size_t n, samesum_level level,
                                                 double *result, samesum_nccl_comm comm,
                                                 samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_nrm2_f32(const float *x, size_t n, samesum_level level,
                                                 float *result, samesum_nccl_comm comm,
                                                 samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_dot_f64(const double *x, const double *y, size_t n,
                                                samesum_level level, double *result,
                                                samesum_nccl_comm comm, samesum_cuda_stream stream);
SAMESUM_API samesum_status samesum_nccl_dot_f32(const float *x, const float *y, size_t n,
                                                samesum_level level, float *result,
                                                samesum_nccl_comm comm, samesum_cuda_stream stream);

/* Purpose: *begin, in host memory, becomes the sum of n on all ranks before this one. One GPU of
 * each process; it waits. Errors: those of the conventions; SAMESUM_ERR_RANGE, on all ranks, where
 * the sum of n on all of them passes 2^64 - 1. */
SAMESUM_API samesum_status samesum_nccl_offset(uint64_t n, uint64_t *begin, samesum_nccl_comm comm,
                                               samesum_cuda_stream stream);

/* ---- about the library ------------------------------------------------------------------------
 */

/* SAMESUM_OK where NCCL is there and the current device can run these kernels; else
 * SAMESUM_ERR_UNAVAILABLE, and in *why, where why is not NULL, a sentence that says what is
 * missing. It is static storage. */
SAMESUM_API samesum_status samesum_nccl_status(const char **why);
/* The version of this library, such as "0.1.0": that of the samesum.h it was built with. */
SAMESUM_API const char *samesum_nccl_version(void);
/* NCCL's version and file, such as "NCCL 2.28.3, /usr/lib/x86_64-linux-gnu/libnccl.so.2"; cut to
 * `bytes`. Empty, with SAMESUM_ERR_UNAVAILABLE, where there is none. */
SAMESUM_API samesum_status samesum_nccl_library(char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
