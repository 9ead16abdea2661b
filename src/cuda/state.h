/* A state in device memory: what a samesum_state holds, made by the device, read by the host. */
#ifndef SS_CUDA_STATE_H
#define SS_CUDA_STATE_H

#include "cuda/plan.h"

extern "C" {
#include "state.h"
}

enum { SS_CUDA_STATE_MAGIC = 0x73733164 };

/* present, and what holds the sums, are the device's to write; the rest is known beforehand. */
struct ss_cuda_state {
    unsigned magic;
    samesum_want want;
    samesum_type type;
    uint64_t begin, end, present;
    union {
        ss_exact acc[SS_TERMS];
        ss_found found;
        ss_tree tree[SS_TERMS];
    };
};

#endif
