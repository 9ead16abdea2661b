/* Fields: arrays whose parts lie on the ranks. */
#include "nccl/item.h"

static ss_share_asked asked_of(const samesum_nccl_field *f)
{
    return (ss_share_asked){.part = &f->part,
                            .axes = f->axes,
                            .axis_count = f->axis_count,
                            .want = &f->want,
                            .out = &f->out};
}

static samesum_status check(const samesum_nccl_member *member, size_t i, ss_said *said)
{
    if (!member->fields)
        return SAMESUM_ERR_NULL;
    const samesum_nccl_field *f = &member->fields[i];
    const ss_share_asked asked = asked_of(f);
    ss_share_size size;
    samesum_status st = ss_share_measure(&asked, &size);
    if (st != SAMESUM_OK)
        return st;
    /* a share may do without results, a field not */
    if (size.rows > 0 && !f->out.results)
        return SAMESUM_ERR_NULL;
    *said = (ss_said){.elements = size.elements, .mixed = ss_mix(size.mixed, size.rows)};
    return SAMESUM_OK;
}

static samesum_status make(ss_item *item, const samesum_nccl_member *member, size_t i)
{
    const ss_share_asked asked = asked_of(&member->fields[i]);
    samesum_status st = ss_share_create(&item->share, &asked, item->place.begin, item->place.total,
                                        item->place.ranks);
    if (st == SAMESUM_OK)
        item->outcome = ss_share_status(item->share);
    return st;
}

static void end(ss_item *item)
{
    if (item->share)
        ss_share_destroy(item->share);
}

static size_t workspace(const ss_item *item)
{
    return ss_share_workspace_bytes(item->share);
}

static int passes(const ss_item *item)
{
    return ss_share_passes(item->share);
}

static uint64_t rounds(const ss_item *item)
{
    return ss_share_rounds(item->share);
}

static size_t message(const ss_item *item, int pass)
{
    return ss_share_message_bytes(item->share, pass);
}

static cudaError_t own(const ss_item *item, int pass, uint64_t round, void *to, void *space,
                       cudaStream_t stream)
{
    return ss_share_own(item->share, pass, round, to, space, stream);
}

static cudaError_t merge(const ss_item *item, int pass, uint64_t round, const void *messages,
                         size_t stride, void *space, cudaStream_t stream)
{
    return ss_share_merge(item->share, pass, round, messages, stride, space, stream);
}

const ss_kind ss_fields = {check, make, end, workspace, passes, rounds, message, own, merge};
