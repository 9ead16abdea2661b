/* What one device has of a reduction whose elements lie on several: its share (SPEC.md, section 7).
 * Its own elements become a message; the messages of all, in rank order, become the result, or what
 * the next pass needs. Who carries messages is not said here. Calls only launch. */
#ifndef SS_CUDA_SHARE_H
#define SS_CUDA_SHARE_H

#include <cuda_runtime_api.h>
#include "samesum_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One reduction: as samesum_cuda_reduce_array(). The whole is the parts of all devices, one behind
 * the other along the first of the axes that are reduced. Counts are asked for on all devices, or
 * on none: `mixed` tells. */
typedef struct ss_share_asked {
    const samesum_array *part;
    const int *axes;
    int axis_count;
    const samesum_want *want;
    const samesum_cuda_out *out; /* results NULL: this device gets none */
} ss_share_asked;

/* What has to be known of all before shares can be made: found by ss_share_measure(). */
typedef struct ss_share_size {
    uint64_t elements; /* of every row, here */
    uint64_t rows;
    uint64_t mixed; /* a number that differs where reductions do that do not fit together */
} ss_share_size;

typedef struct ss_share ss_share;

/* Checks all that can be checked without other devices (also pointers, on the current device), and
 * measures. */
samesum_status ss_share_measure(const ss_share_asked *asked, ss_share_size *size);

/* begin: the index of this device's first element in every row; total: elements of every row on all
 * devices; ranks: devices. What asked points to may go afterwards, but for data, masks, results and
 * counts. On the current device. Host memory only. */
samesum_status ss_share_create(ss_share **share, const ss_share_asked *asked, uint64_t begin,
                               uint64_t total, int ranks);
void ss_share_destroy(ss_share *share);

/* Passes over the elements: one; of var and std below exact two, of nrm2 there three. Each is taken
 * in rounds, of some rows each. Both are the same for all devices, as are the bytes of a message: a
 * multiple of 16, O(log total) for each row of a round. */
int ss_share_passes(const ss_share *share);
uint64_t ss_share_rounds(const ss_share *share);
size_t ss_share_message_bytes(const ss_share *share, int pass);

/* What the number of elements alone tells: SAMESUM_OK, SAMESUM_NO_VALUE, SAMESUM_ERR_EMPTY. */
samesum_status ss_share_status(const ss_share *share);

/* Device memory that the share needs, aligned to 256; it holds what passes leave for the next. */
size_t ss_share_workspace_bytes(const ss_share *share);

/* Makes the message of this device's elements: device memory, aligned to 16. */
cudaError_t ss_share_own(const ss_share *share, int pass, uint64_t round, void *message,
                         void *workspace, cudaStream_t stream);

/* messages: those of all devices in rank order, `stride` bytes apart. After the last pass the
 * results are written. */
cudaError_t ss_share_merge(const ss_share *share, int pass, uint64_t round, const void *messages,
                           size_t stride, void *workspace, cudaStream_t stream);

/* For tests: rows of a round at most; 0: by default. */
void ss_share_tune(uint64_t rows);

#ifdef __cplusplus
}
#endif
#endif
