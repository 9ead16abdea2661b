/* samesum_cuda.h - the reductions of samesum.h on a CUDA device, with the same bits.
 *
 * Conventions of the calls that take a stream:
 *   - Data, masks, weights, offsets, results, counts and the workspace are device memory (or memory
 *     that the device can read and write: managed, or pinned and mapped). What describes them (the
 *     structures, shapes, strides, axes) is host memory, read before the call returns.
 *   - Pointers to elements and results are multiples of their numbers' size, masks of any
 * alignment, the workspace of 256 bytes, as cudaMalloc() gives it.
 *   - A call only launches kernels on its stream: it allocates nothing, waits for nothing, and
 * reads no device memory on the host. It may be captured into a graph. Calls on several streams, or
 *     from several threads, may run at once, as long as each has its own workspace.
 *   - The workspace needs no preparation, and holds nothing of use afterwards. Calls ordered by one
 *     stream may share one. With workspace NULL a call launches nothing and writes to
 *     *workspace_bytes what it needs; otherwise *workspace_bytes says how much there is.
 *   - The device is the current one. want->backend is SAMESUM_BACKEND_AUTO or _CUDA; want->threads
 *     is not used. Everything else in samesum_want and samesum_array means what it does in
 *     samesum.h; a result does not depend on the device, its size, the grid or the stream. The
 *     caller's rounding mode, and whether it flushes subnormals, neither change a result nor are
 *     changed.
 *   - An error is answered before anything is launched: those of the call's namesake in samesum.h,
 *     SAMESUM_ERR_SIZE (too small a workspace), SAMESUM_ERR_POINTER (a pointer that is no device
 *     memory or not aligned), SAMESUM_ERR_UNAVAILABLE (no device, or none that these kernels were
 *     built for), SAMESUM_ERR_CUDA (the CUDA runtime refused a launch; cudaGetLastError() says
 *     why, but for the shared library, whose runtime is its own). SAMESUM_NO_VALUE and
 *     SAMESUM_ERR_EMPTY, which come with results written, are answered where the shape alone
 *     tells; where a mask or missing values leave too few elements, the result (NaN, or
 *     UINT64_MAX for an index) is all there is. */
#ifndef SAMESUM_CUDA_H
#define SAMESUM_CUDA_H

#include "samesum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cudaStream_t; NULL is the default stream. */
typedef struct CUstream_st *samesum_cuda_stream;

/* Where results go. */
typedef struct samesum_cuda_out {
    void *results;          /* as samesum_reduce_array() lays them out */
    size_t copies;          /* 0 and 1: once; else all results are written so many times, */
    size_t copy_bytes;      /* from one copy's first byte to the next one's */
    samesum_counts *counts; /* NULL, or one for each result; costs a pass of its own */
} samesum_cuda_out;

/* Purpose: samesum_reduce() of data in device memory: one result.
 *
 *     samesum_data data = {.x = x, .n = n, .type = SAMESUM_F32};
 *     samesum_want want = {.op = SAMESUM_SUM, .level = SAMESUM_COMPENSATED};
 *     samesum_cuda_out out = {.results = r};
 *     size_t bytes;
 *     samesum_cuda_reduce(&data, &want, &out, NULL, &bytes, stream);
 *     cudaMalloc(&workspace, bytes); // once; then, as often as you like:
 *     samesum_cuda_reduce(&data, &want, &out, workspace, &bytes, stream); */
SAMESUM_API samesum_status samesum_cuda_reduce(const samesum_data *data, const samesum_want *want,
                                               const samesum_cuda_out *out, void *workspace,
                                               size_t *workspace_bytes, samesum_cuda_stream stream);

/* Purpose: samesum_reduce_array(): along some axes or all, of any layout, with masks, missing
 * values and weights. */
SAMESUM_API samesum_status samesum_cuda_reduce_array(const samesum_array *array, const int *axes,
                                                     int axis_count, const samesum_want *want,
                                                     const samesum_cuda_out *out, void *workspace,
                                                     size_t *workspace_bytes,
                                                     samesum_cuda_stream stream);

/* Purpose: samesum_reduce_segments(). offsets: segments + 1 of them in device memory, so they
 * cannot be checked: a segment that ends beyond the array counts as empty. Where they do not
 * ascend, results of any segment may be wrong or left unwritten; nothing else is written. */
SAMESUM_API samesum_status samesum_cuda_reduce_segments(const samesum_array *array,
                                                        const size_t *offsets, size_t segments,
                                                        const samesum_want *want,
                                                        const samesum_cuda_out *out,
                                                        void *workspace, size_t *workspace_bytes,
                                                        samesum_cuda_stream stream);

/* ---- states -----------------------------------------------------------------------------------
 *
 * The state of a range of elements, made on the device, is finished there with others, or continues
 * on the host and elsewhere: copy
 * its samesum_cuda_state_bytes() bytes to the host and turn them into the serialised form of
 * samesum.h, which merges with every other state of the same kind (SPEC.md, section 7). */

/* Bytes of a state in device memory, which is aligned to 16. Errors: those of
 * samesum_state_create(). */
SAMESUM_API samesum_status samesum_cuda_state_bytes(const samesum_want *want, samesum_type type,
                                                    size_t *bytes);
/* Purpose: the state of the elements with absolute indices [begin, begin + n), n being the
 * elements of the chunk, in logical C order.
 * state: device memory. counts: NULL, or device memory for what the chunk held.
 * Errors: as samesum_state_create() and samesum_state_update_array(). */
SAMESUM_API samesum_status samesum_cuda_state_reduce(const samesum_array *chunk, uint64_t begin,
                                                     const samesum_want *want, void *state,
                                                     samesum_counts *counts, void *workspace,
                                                     size_t *workspace_bytes,
                                                     samesum_cuda_stream stream);
/* Purpose: samesum_state_merge() and _finish() of `count` states in device memory, made for this
 * want and type on any device: of consecutive ranges, in their order; at level exact of any. They
 * lie `stride` bytes apart, a multiple of 16; they stay as they are. out: one result; its counts
 * are not used. What the host cannot see: where the ranges do not follow one another, or what lies
 * there are no such states, the result is the canonical NaN. Errors: those of
 * samesum_state_create(); SAMESUM_ERR_RANGE (no state), SAMESUM_ERR_SIZE (a stride smaller than a
 * state). */
SAMESUM_API samesum_status samesum_cuda_state_finish(const void *states, size_t count,
                                                     size_t stride, const samesum_want *want,
                                                     samesum_type type, const samesum_cuda_out *out,
                                                     void *workspace, size_t *workspace_bytes,
                                                     samesum_cuda_stream stream);
/* Purpose: the serialised form (docs/state-format.md) of a state that was copied to the host.
 * Host memory throughout; *written receives the size. Errors: SAMESUM_ERR_NULL, _SIZE, _CORRUPT,
 * _NOMEM.
 *
 *     cudaMemcpyAsync(image, state, state_bytes, cudaMemcpyDeviceToHost, stream);
 *     cudaStreamSynchronize(stream);
 *     samesum_cuda_state_save(image, state_bytes, buf, sizeof buf, &written);
 *     samesum_state_load(&s, buf, written); // merge it with others, finish it */
SAMESUM_API samesum_status samesum_cuda_state_save(const void *image, size_t image_bytes, void *buf,
                                                   size_t capacity, size_t *written);

/* ---- data in host memory ----------------------------------------------------------------------
 *
 * Purpose: samesum_reduce_array() of data in host memory, by the device: copies them there in
 * chunks, while the chunks before are reduced, so that they may be larger than the device's memory.
 * It allocates device and pinned memory, and waits. results and counts: host memory, as in
 * samesum_reduce_array(), with all its statuses; no alignment is asked for. want->threads: that
 * prepare the chunks on the host, at most; 0: up to 8.
 * A row is cut where its operation has states (see above, without weights): argmin, argmax,
 * weighted rows and, below exact, nrm2, var and std need a row to fit the device. Where it does
 * not, use level exact (of the last three) or samesum_reduce_array().
 * Environment: SAMESUM_CUDA_MEMORY, bytes of device memory that data may take at most;
 * SAMESUM_CUDA_CHUNK, elements of a chunk, for tests. SAMESUM_BACKEND has to be unset, or name a
 * backend of the CPU, which then merges the chunks' states.
 * Errors: as samesum_reduce_array(); SAMESUM_ERR_UNAVAILABLE; SAMESUM_ERR_NOMEM (a row that cannot
 * be cut, or not even a chunk, does not fit the device; no memory); SAMESUM_ERR_CUDA. */
SAMESUM_API samesum_status samesum_cuda_reduce_host(const samesum_array *array, const int *axes,
                                                    int axis_count, const samesum_want *want,
                                                    void *results, samesum_counts *counts);

/* ---- about the device -------------------------------------------------------------------------
 */

/* SAMESUM_OK where the current device can run these kernels; else SAMESUM_ERR_UNAVAILABLE, and in
 * *why, where why is not NULL, a sentence that says what is missing: no driver, no device, or too
 * old a one. It is static storage. */
SAMESUM_API samesum_status samesum_cuda_status(const char **why);
/* The current device's name into name, of so many bytes; cut where it is longer. */
SAMESUM_API samesum_status samesum_cuda_device_name(char *name, size_t bytes);
/* The version of this library, such as "0.1.0": that of the samesum.h it was built with. */
SAMESUM_API const char *samesum_cuda_version(void);

#ifdef __cplusplus
}
#endif
#endif
