/* A state in device memory: what a samesum_state holds, made by the device, read by the host. */
#ifndef SS_CUDA_DEVICE_STATE_H
#define SS_CUDA_DEVICE_STATE_H

#include <stdalign.h>
#ifdef __CUDACC__
#include "exact/accumulator_code.h" /* whose functions are static there */
#else
#include "exact/accumulator.h"
#endif
#include "../extremes.h" /* the CPU's */
#include "fixedtree/trees.h"

#define SS_CUDA_STATE_MAGIC 0x73733264u

/* Of the maximal aligned nodes of a range; they lie as cuda/image.cuh says, each in an ss_lanes. */
enum { SS_CUDA_STATE_LEVELS = 60 };

/* present, and what holds the sums, are the device's to write; the rest is known beforehand. */
typedef struct ss_cuda_state {
    unsigned magic;
    samesum_want want;
    samesum_type type;
    uint64_t begin, end, present;
    uint64_t again; /* the range once more, by which damage shows */
    union {
        alignas(16) ss_exact acc[SS_TERMS];
        ss_found found;
        ss_lanes node[SS_TERMS][2 * SS_CUDA_STATE_LEVELS + 2];
    };
} ss_cuda_state;

SS_SHAPE_FN uint64_t ss_cuda_range_again(uint64_t begin, uint64_t end)
{
    return begin * UINT64_C(0x9e3779b97f4a7c15) + end;
}

#ifdef __cplusplus
extern "C" {
#endif

/* want as samesum_state_create() settles it. Errors: its own. */
samesum_status ss_cuda_state_settle(const samesum_want *want, samesum_type type, uint64_t begin,
                                    samesum_want *settled);

/* Numbers of an element that sums are made of. */
unsigned ss_cuda_state_numbers(samesum_op op, samesum_type type);

#ifdef __cplusplus
}
#endif
#endif
