/* States: each rank's image goes around whole. */
#include "nccl/item.h"

#include "cuda/pointer.h"

/* stride of the images: aligned as they have to be */
static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static samesum_status finish(const ss_item *item, const void *images, size_t stride, void *space,
                             size_t *bytes, cudaStream_t stream)
{
    const samesum_nccl_state *s = &item->state;
    return samesum_cuda_state_finish(images, (size_t)item->place.ranks, stride, &s->want, s->type,
                                     &s->out, space, bytes, stream);
}

static samesum_status check(const samesum_nccl_member *member, size_t i, ss_said *said)
{
    if (!member->states)
        return SAMESUM_ERR_NULL;
    const samesum_nccl_state *s = &member->states[i];
    size_t bytes;
    samesum_status st = samesum_cuda_state_bytes(&s->want, s->type, &bytes);
    if (st == SAMESUM_OK && (!s->state || !s->out.results))
        st = SAMESUM_ERR_NULL;
    if (st == SAMESUM_OK)
        st = ss_cuda_check_pointer(s->state, 16);
    if (st != SAMESUM_OK)
        return st;
    /* as an array without elements: how many the state has only the device knows */
    static const size_t shape[1] = {0};
    const samesum_array none = {.type = s->type, .dims = 1, .shape = shape};
    samesum_cuda_out out = s->out;
    out.counts = NULL;
    const ss_share_asked asked = {.part = &none, .want = &s->want, .out = &out};
    ss_share_size size;
    st = ss_share_measure(&asked, &size);
    if (st == SAMESUM_OK)
        *said = (ss_said){.elements = 0, .mixed = size.mixed};
    return st;
}

static samesum_status make(ss_item *item, const samesum_nccl_member *member, size_t i)
{
    item->state = member->states[i];
    samesum_status st =
        samesum_cuda_state_bytes(&item->state.want, item->state.type, &item->message);
    item->message = padded(item->message);
    if (st == SAMESUM_OK)
        st = finish(item, NULL, item->message, NULL, &item->workspace, NULL);
    return st;
}

static void end(ss_item *item)
{
    (void)item;
}

static size_t workspace(const ss_item *item)
{
    return item->workspace;
}

static int passes(const ss_item *item)
{
    (void)item;
    return 1;
}

static uint64_t rounds(const ss_item *item)
{
    (void)item;
    return 1;
}

static size_t message(const ss_item *item, int pass)
{
    (void)pass;
    return item->message;
}

static cudaError_t own(const ss_item *item, int pass, uint64_t round, void *to, void *space,
                       cudaStream_t stream)
{
    size_t bytes;
    (void)pass;
    (void)round;
    (void)space;
    if (samesum_cuda_state_bytes(&item->state.want, item->state.type, &bytes) != SAMESUM_OK)
        return cudaErrorInvalidValue;
    return cudaMemcpyAsync(to, item->state.state, bytes, cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t merge(const ss_item *item, int pass, uint64_t round, const void *messages,
                         size_t stride, void *space, cudaStream_t stream)
{
    size_t bytes = item->workspace;
    (void)pass;
    (void)round;
    return finish(item, messages, stride, space, &bytes, stream) >= 0 ? cudaSuccess
                                                                      : cudaErrorUnknown;
}

const ss_kind ss_states = {check, make, end, workspace, passes, rounds, message, own, merge};
