/* What is reduced, as one rank has it: a field, a state or a vector. Kinds differ in what they
 * bring, and in how it goes around. */
#ifndef SS_NCCL_ITEM_H
#define SS_NCCL_ITEM_H

#include "cuda/share.h"
#include "nccl/group.h"

/* What a rank tells of an item. */
typedef struct ss_said {
    uint64_t elements; /* of every row, here */
    uint64_t mixed;    /* a number that differs where items do that do not fit together */
} ss_said;

/* Of every row: where this rank's elements begin, and how many all have. */
typedef struct ss_place {
    uint64_t begin, total;
    int rank, ranks;
} ss_place;

typedef struct ss_item {
    ss_place place;
    ss_share *share;            /* a field */
    samesum_nccl_state state;   /* a state */
    samesum_nccl_vector vector; /* a vector */
    samesum_status outcome;     /* what the shape of the whole tells, beside the results */
    size_t message, workspace;  /* bytes; a field's share knows */
    size_t spare, reduction;    /* of a vector's workspace: see vectors.c */
} ss_item;

typedef struct ss_kind {
    /* On the current device: checks a member's i-th one, and makes an item of it. */
    samesum_status (*check)(const samesum_nccl_member *member, size_t i, ss_said *said);
    samesum_status (*make)(ss_item *item, const samesum_nccl_member *member, size_t i);
    void (*end)(ss_item *item);
    size_t (*workspace)(const ss_item *item);

    /* Kinds that are gathered: each rank makes a message, and all merge those of all. Passes and
     * rounds as in cuda/share.h. NULL for a kind that goes one item after the other, in one
     * workspace: ss_vectors_run(). */
    int (*passes)(const ss_item *item);
    uint64_t (*rounds)(const ss_item *item);
    size_t (*message)(const ss_item *item, int pass);
    cudaError_t (*own)(const ss_item *item, int pass, uint64_t round, void *message,
                       void *workspace, cudaStream_t stream);
    cudaError_t (*merge)(const ss_item *item, int pass, uint64_t round, const void *messages,
                         size_t stride, void *workspace, cudaStream_t stream);
} ss_kind;

extern const ss_kind ss_fields, ss_states, ss_vectors;

static inline uint64_t ss_mix(uint64_t mixed, uint64_t more)
{
    return (mixed ^ more) * UINT64_C(0x9e3779b97f4a7c15) + (mixed >> 31);
}

#endif
