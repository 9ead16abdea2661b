/* device.h - device memory for the tests, and the library's calls on it, compared bit for bit.
 * Every result lies in device memory that was full of other bytes before, so that a call that does
 * not run on the device cannot pass. */
#ifndef TESTS_CUDA_DEVICE_H
#define TESTS_CUDA_DEVICE_H

#include "rows.h"
#include "samesum_cuda.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* Fails the test where the CUDA runtime refuses. */
#define CUDA(call) cuda_must((call), #call, __FILE__, __LINE__)
void cuda_must(cudaError_t error, const char *call, const char *file, int line);

/* ---- memory ----
 *
 * Of the current device.
 * Scratch memory lasts until scratch_end(). At quick depth, which runs under compute-sanitizer,
 * each piece is an allocation of its own; else they are pieces of one. For one thread. */
void *scratch(size_t bytes);
void *scratch_copy(const void *host, size_t bytes);
void scratch_end(void);
/* Copies to the host, when all that was launched has ended. */
void device_get(void *host, const void *device, size_t bytes);
/* The array with its elements, mask and weights in scratch memory, a random number of elements
 * behind an allocation's begin; shape and strides stay where they are. */
samesum_array array_on_device(const samesum_array *host);
/* false: no elements behind it. */
extern bool operands_anywhere;

/* ---- calls ---- */

/* One call: of `data`; or of `array`, along axes or, with offsets (on the device), by segments. */
struct device_call {
    const samesum_data *data;
    const samesum_array *array;
    const int *axes;
    int axis_count;
    const size_t *offsets;
    size_t segments;
    samesum_want want;
    samesum_cuda_out out;
};
samesum_status device_launch(const struct device_call *call, void *workspace, size_t *bytes,
                             samesum_cuda_stream stream);
/* Asks for the workspace, takes it from scratch memory full of some byte, launches and waits. */
samesum_status device_run(const struct device_call *call);

/* The image of the state of a chunk in host memory, and what it held (counts may be NULL). */
void device_state(const samesum_array *host, uint64_t begin, const samesum_want *want, void *image,
                  size_t image_bytes, samesum_counts *counts);

/* ---- comparison ---- */

/* Calls the library with an array in host memory, copied, and compares all that it writes. offsets:
 * host memory, or NULL. Return bits of results compared. */
long device_compare(const struct answer *expected, const struct cell *cell,
                    const samesum_array *host, const int *axes, int axis_count,
                    const size_t *offsets, size_t segments, const char *name);
/* The same against the CPU's library. */
long device_as_cpu(const struct cell *cell, const samesum_array *host, const int *axes,
                   int axis_count, const char *name);
struct answer cpu_answer(const struct cell *cell, const samesum_array *host, const int *axes,
                         int axis_count);
/* The status that the shape alone tells. */
samesum_status status_by_shape(const struct cell *cell, const samesum_array *array, const int *axes,
                               int axis_count);

/* Bytes of one of the numbers of a result, to which it is aligned. */
size_t number_bytes(const struct cell *cell);

/* Many calls with one result each, launched one after the other and compared at once. expected: the
 * result's bytes; n, name: for a report; the name must last. */
void batch_call(struct device_call call, const struct cell *cell, const char *expected, size_t n,
                const char *name);
/* The same for a vector whose elements lie at x and y on both sides; the CPU's library says what is
 * expected. */
void batch_vector(const struct cell *cell, const void *x, const void *y, const void *host_x,
                  const void *host_y, size_t n, const char *name);
void batch_end(void);

/* Bits of results compared since the program began. */
long device_bits(void);
void count_bits(long more);

/* Operation, type and level, without variants. */
struct cell cell_of(samesum_op op, samesum_type type, samesum_level level);
/* Runs through all operations, types and levels that are computed and not weighted: false at the
 * end. Start with -1. */
bool next_cell(int *i, struct cell *cell);

#endif
