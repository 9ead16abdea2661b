/* Runs of what is gathered: in each pass and round all make messages, which go around at once, and
 * merge them. */
#include "nccl/plan.h"

static int takes_part(const samesum_nccl_plan *p, size_t i, int pass, uint64_t round)
{
    const ss_item *item = &p->desk[0].item[i]; /* the same on every seat */
    return pass < p->kind->passes(item) && round < p->kind->rounds(item);
}

/* Of one rank. */
static size_t message_bytes(const samesum_nccl_plan *p, int pass, uint64_t round)
{
    size_t bytes = 0;
    for (size_t i = 0; i < p->count; i++)
        if (takes_part(p, i, pass, round))
            bytes += p->kind->message(&p->desk[0].item[i], pass);
    return bytes;
}

/* Later rounds have the items of earlier ones, or fewer. */
size_t ss_gathered_bytes(const samesum_nccl_plan *p)
{
    size_t most = 0, bytes;
    for (int pass = 0; (bytes = message_bytes(p, pass, 0)) > 0; pass++)
        most = bytes > most ? bytes : most;
    return most;
}

static void keep(cudaError_t *first, cudaError_t error)
{
    if (*first == cudaSuccess)
        *first = error;
}

static cudaError_t make_messages(const samesum_nccl_plan *p, int pass, uint64_t round,
                                 size_t stride)
{
    cudaError_t first = cudaSuccess;
    for (int s = 0; s < p->group.count; s++) {
        const ss_seat *seat = &p->group.seat[s];
        const ss_desk *desk = &p->desk[s];
        char *message = desk->messages + (size_t)seat->rank * stride;
        keep(&first, ss_seat_take(seat));
        for (size_t i = 0; i < p->count; i++)
            if (takes_part(p, i, pass, round)) {
                keep(&first, p->kind->own(&desk->item[i], pass, round, message,
                                          desk->memory + desk->workspace[i], seat->stream));
                message += p->kind->message(&desk->item[i], pass);
            }
    }
    return first;
}

static ncclResult_t gather(const samesum_nccl_plan *p, size_t stride)
{
    const ss_group *g = &p->group;
    if (g->ranks == 1)
        return ncclSuccess;
    ncclResult_t result = g->nccl->GroupStart();
    for (int s = 0; s < g->count && ss_group_goes_on(result); s++) {
        const ss_seat *seat = &g->seat[s];
        char *all = p->desk[s].messages;
        result = g->nccl->AllGather(all + (size_t)seat->rank * stride, all, stride, ncclInt8,
                                    seat->comm, seat->stream);
    }
    return ss_group_end(g, result);
}

static cudaError_t merge(const samesum_nccl_plan *p, int pass, uint64_t round, size_t stride)
{
    cudaError_t first = cudaSuccess;
    for (int s = 0; s < p->group.count; s++) {
        const ss_desk *desk = &p->desk[s];
        const char *messages = desk->messages;
        keep(&first, ss_seat_take(&p->group.seat[s]));
        for (size_t i = 0; i < p->count; i++)
            if (takes_part(p, i, pass, round)) {
                keep(&first,
                     p->kind->merge(&desk->item[i], pass, round, messages, stride,
                                    desk->memory + desk->workspace[i], p->group.seat[s].stream));
                messages += p->kind->message(&desk->item[i], pass);
            }
    }
    return first;
}

samesum_status ss_gathered_run(const samesum_nccl_plan *p)
{
    cudaError_t error = cudaSuccess;
    size_t stride;
    for (int pass = 0; message_bytes(p, pass, 0) > 0; pass++)
        for (uint64_t round = 0; (stride = message_bytes(p, pass, round)) > 0; round++) {
            keep(&error, make_messages(p, pass, round, stride));
            if (gather(p, stride) != ncclSuccess)
                return SAMESUM_ERR_NCCL;
            keep(&error, merge(p, pass, round, stride));
        }
    return error == cudaSuccess ? p->outcome : SAMESUM_ERR_CUDA;
}
