#include "nccl/group.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

int ss_seats_enter(void)
{
    int device = -1;
    if (cudaGetDevice(&device) != cudaSuccess)
        cudaGetLastError();
    return device;
}

cudaError_t ss_seat_take(const ss_seat *seat)
{
    return cudaSetDevice(seat->device);
}

samesum_status ss_seat_allocate(void **memory, size_t bytes)
{
    const cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaSuccess)
        return SAMESUM_OK;
    cudaGetLastError(); /* answered here, not by the caller's next call */
    return error == cudaErrorMemoryAllocation ? SAMESUM_ERR_NOMEM : SAMESUM_ERR_CUDA;
}

void ss_seats_leave(int device)
{
    if (device >= 0)
        cudaSetDevice(device);
}

/* Where the runtime can tell. */
static int is_elsewhere(const ss_seat *seat)
{
#if CUDART_VERSION >= 12080
    int device;
    if (cudaStreamGetDevice(seat->stream, &device) == cudaSuccess)
        return device != seat->device;
    cudaGetLastError();
#endif
    (void)seat;
    return 0;
}

static samesum_status sit(const ss_nccl *nccl, ss_seat *seat, const samesum_nccl_member *member,
                          int *ranks)
{
    seat->comm = member->comm;
    seat->stream = member->stream;
    if (nccl->CommCount(seat->comm, ranks) != ncclSuccess ||
        nccl->CommUserRank(seat->comm, &seat->rank) != ncclSuccess ||
        nccl->CommCuDevice(seat->comm, &seat->device) != ncclSuccess)
        return SAMESUM_ERR_NCCL;
    if (ss_seat_take(seat) != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    samesum_status st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;
    if (is_elsewhere(seat))
        return SAMESUM_ERR_OPTION;
    return ss_seat_allocate((void **)&seat->told, (size_t)*ranks * SS_WORDS * sizeof *seat->told);
}

static samesum_status sit_all(ss_group *g, const samesum_nccl_member *members)
{
    for (int i = 0; i < g->count; i++) {
        int ranks;
        samesum_status st = sit(g->nccl, &g->seat[i], &members[i], &ranks);
        if (st != SAMESUM_OK)
            return st;
        if (i > 0 && ranks != g->ranks)
            return SAMESUM_ERR_OPTION;
        g->ranks = ranks;
        for (int k = 0; k < i; k++)
            if (g->seat[k].rank == g->seat[i].rank)
                return SAMESUM_ERR_OPTION;
    }
    return SAMESUM_OK;
}

samesum_status ss_group_make(ss_group *g, const samesum_nccl_member *members, int count)
{
    *g = (ss_group){.count = count};
    if (!members)
        return SAMESUM_ERR_NULL;
    if (count < 1)
        return SAMESUM_ERR_OPTION;
    for (int i = 0; i < count; i++)
        if (!members[i].comm)
            return SAMESUM_ERR_NULL;
    g->nccl = ss_nccl_library(NULL);
    if (!g->nccl)
        return SAMESUM_ERR_UNAVAILABLE;
    g->seat = calloc((size_t)count, sizeof *g->seat);
    if (!g->seat)
        return SAMESUM_ERR_NOMEM;
    const int before = ss_seats_enter();
    samesum_status st = sit_all(g, members);
    ss_seats_leave(before);
    if (st != SAMESUM_OK)
        ss_group_free(g);
    return st;
}

void ss_group_free(ss_group *g)
{
    const int before = ss_seats_enter();
    for (int i = 0; g->seat && i < g->count; i++)
        if (ss_seat_take(&g->seat[i]) == cudaSuccess)
            cudaFree(g->seat[i].told);
    ss_seats_leave(before);
    free(g->seat);
    *g = (ss_group){.count = 0};
}

/* A nonblocking communicator answers later. */
ncclResult_t ss_group_end(const ss_group *g, ncclResult_t so_far)
{
    ncclResult_t result = g->nccl->GroupEnd();
    if (!ss_group_goes_on(so_far))
        return so_far;
    for (int i = 0; i < g->count && result == ncclInProgress;) {
        ncclResult_t state;
        if (g->nccl->CommGetAsyncError(g->seat[i].comm, &state) != ncclSuccess)
            return ncclInternalError;
        if (state != ncclInProgress && state != ncclSuccess)
            return state;
        if (state == ncclInProgress)
            sched_yield();
        else if (++i == g->count)
            result = ncclSuccess;
    }
    return result;
}

samesum_status ss_group_tell(const ss_group *g, const uint64_t *own, uint64_t *all)
{
    const size_t bytes = SS_WORDS * sizeof *own;
    if (g->ranks == 1) {
        memcpy(all, own, bytes);
        return SAMESUM_OK;
    }
    const int before = ss_seats_enter();
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < g->count && error == cudaSuccess; i++) {
        const ss_seat *s = &g->seat[i];
        error = ss_seat_take(s);
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(s->told + s->rank * SS_WORDS, own + i * SS_WORDS, bytes,
                                    cudaMemcpyHostToDevice, s->stream);
    }
    ncclResult_t result = g->nccl->GroupStart();
    for (int i = 0; i < g->count && ss_group_goes_on(result); i++) {
        const ss_seat *s = &g->seat[i];
        result = g->nccl->AllGather(s->told + s->rank * SS_WORDS, s->told, SS_WORDS, ncclUint64,
                                    s->comm, s->stream);
    }
    result = ss_group_end(g, result);
    for (int i = g->count - 1; i >= 0 && result == ncclSuccess && error == cudaSuccess; i--) {
        const ss_seat *s = &g->seat[i];
        error = ss_seat_take(s);
        if (error == cudaSuccess && i == 0) /* all have the same */
            error = cudaMemcpyAsync(all, s->told, (size_t)g->ranks * bytes, cudaMemcpyDeviceToHost,
                                    s->stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(s->stream);
    }
    ss_seats_leave(before);
    return error != cudaSuccess    ? SAMESUM_ERR_CUDA
           : result != ncclSuccess ? SAMESUM_ERR_NCCL
                                   : SAMESUM_OK;
}
