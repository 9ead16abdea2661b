/* A plan: the items of every seat, and the memory that they need. */
#ifndef SS_NCCL_PLAN_H
#define SS_NCCL_PLAN_H

#include "nccl/item.h"

/* One seat's. */
typedef struct ss_desk {
    ss_item *item;
    char *memory;      /* on its device: workspaces, then messages */
    size_t *workspace; /* where each item's begins */
    char *messages;    /* of all ranks, as many as one round has */
} ss_desk;

struct samesum_nccl_plan {
    ss_group group;
    const ss_kind *kind;
    size_t count; /* items of each seat */
    ss_desk *desk;
    samesum_status outcome; /* that of a run without errors */
};

/* Both launch on the current device's place in turn, and go on after an error, so that no rank
 * waits for this one; they return the first. */
samesum_status ss_gathered_run(const samesum_nccl_plan *plan);
samesum_status ss_vectors_run(const samesum_nccl_plan *plan);

/* The most that a message has of one round. */
size_t ss_gathered_bytes(const samesum_nccl_plan *plan);

#endif
