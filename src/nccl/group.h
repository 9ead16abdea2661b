/* The GPUs of this process in a communicator, and what ranks tell one another. */
#ifndef SS_NCCL_GROUP_H
#define SS_NCCL_GROUP_H

#include <cuda_runtime_api.h>

#include "nccl/library.h"

/* One member, with memory for what its rank tells. */
typedef struct ss_seat {
    ncclComm_t comm;
    cudaStream_t stream;
    int rank, device;
    uint64_t *told;
} ss_seat;

typedef struct ss_group {
    const ss_nccl *nccl;
    int ranks, count; /* of the communicator; seats of this process */
    ss_seat *seat;
} ss_group;

/* Nothing is sent. Errors: SAMESUM_ERR_NULL, _OPTION, _UNAVAILABLE, _NOMEM, _CUDA, _NCCL; the group
 * then needs no free. */
samesum_status ss_group_make(ss_group *group, const samesum_nccl_member *members, int count);
void ss_group_free(ss_group *group);

/* What every rank tells at once: `own` has so many words for each seat, and *all, in host memory,
 * receives those of all ranks in rank order. Waits. Errors: SAMESUM_ERR_CUDA, _NCCL. */
enum { SS_WORDS = 128 };
samesum_status ss_group_tell(const ss_group *group, const uint64_t *own, uint64_t *all);

/* Whether a call in a group was no error: a nonblocking communicator may say that it is busy. */
static inline int ss_group_goes_on(ncclResult_t result)
{
    return result == ncclSuccess || result == ncclInProgress;
}
/* The end of a group of NCCL's calls, begun with GroupStart(); `so_far` is the first error of
 * those. */
ncclResult_t ss_group_end(const ss_group *group, ncclResult_t so_far);

/* The seat's device becomes the current one; ss_seats_leave() makes that of before it again. */
int ss_seats_enter(void);
cudaError_t ss_seat_take(const ss_seat *seat);
void ss_seats_leave(int device);

/* Memory of the current device. Errors: SAMESUM_ERR_NOMEM, _CUDA. */
samesum_status ss_seat_allocate(void **memory, size_t bytes);

#endif
