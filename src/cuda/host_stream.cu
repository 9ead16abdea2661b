/* One result of an array of any size: chunk after chunk, each with a state of its own, which are
 * merged on the host in order (SPEC.md, section 7). While a chunk is copied and reduced, the host
 * packs the next ones. */
#include <algorithm>
#include <memory>
#include <new>

#include "cuda/host.cuh"

namespace
{

enum { STATE_ROOM = 1 << 18 }; /* more than any serialised state takes */

/* Ends the life of a state with its scope. */
struct destroy {
    void operator()(samesum_state *s) const
    {
        samesum_state_destroy(s);
    }
};
typedef std::unique_ptr<samesum_state, destroy> state_ptr;

/* What a lane has on the device. The state and the counts come back together. */
struct chunk_slot {
    ss_lane *lane = nullptr;
    ss_memory device{ss_memory::DEVICE}, workspace{ss_memory::DEVICE}, back{ss_memory::PINNED};
    size_t n = 0; /* elements of the chunk under way; 0: none */
    uint64_t begin = 0;
    ~chunk_slot()
    {
        if (lane && lane->stream)
            cudaStreamSynchronize(lane->stream);
    }
};

struct streamed {
    ss_host_call *call;
    const ss_host_array *h;
    size_t chunk, state_bytes;
    size_t place[SS_PLACES]; /* where each operand lies in a slot's memory */
    size_t data_bytes;       /* in front of the state */
    samesum_counts *counts;
    state_ptr all;
    std::unique_ptr<unsigned char[]> saved;
    chunk_slot slots[SS_HOST_LANES];
};

/* Adds what the elements from begin on were to what those before were. */
void add_counts(samesum_counts *all, const samesum_counts *chunk, uint64_t begin)
{
    all->present += chunk->present;
    all->masked += chunk->masked;
    for (int k = 0; k < 2; k++) {
        if (chunk->nonfinite[k] && all->nonfinite[k] == 0)
            all->first[k] = begin + chunk->first[k];
        all->nonfinite[k] += chunk->nonfinite[k];
    }
}

/* Waits for the slot's chunk and merges its state with those before. */
samesum_status collect(streamed *s, chunk_slot *slot)
{
    if (slot->n == 0)
        return SAMESUM_OK;
    samesum_status st = slot->lane->wait();
    size_t written = 0;
    if (st == SAMESUM_OK)
        st = samesum_cuda_state_save(slot->back.at(), s->state_bytes, s->saved.get(), STATE_ROOM,
                                     &written);
    samesum_state *loaded = nullptr;
    if (st == SAMESUM_OK)
        st = samesum_state_load(&loaded, s->saved.get(), written);
    if (st != SAMESUM_OK)
        return st;
    if (s->counts)
        add_counts(s->counts,
                   (const samesum_counts *)(slot->back.at() + ss_host_rounded(s->state_bytes)),
                   slot->begin);
    slot->n = 0;
    state_ptr chunk(loaded);
    if (s->all)
        return samesum_state_merge(s->all.get(), chunk.get());
    s->all = std::move(chunk);
    return SAMESUM_OK;
}

/* Packs the operands of the chunk and sends them off. */
samesum_status send(streamed *s, chunk_slot *slot)
{
    samesum_status st = SAMESUM_OK;
    for (int p = 0; p < SS_PLACES && st == SAMESUM_OK; p++) {
        const ss_host_operand *o = &s->h->operand[p];
        if (!o->at)
            continue;
        char *packed = slot->lane->staging.at() + s->place[p];
        ss_host_pack(s->h, p, slot->begin, slot->n, packed, s->call->threads);
        st = ss_cuda_said(cudaMemcpyAsync(slot->device.at() + s->place[p], packed,
                                          slot->n * o->bytes, cudaMemcpyHostToDevice,
                                          slot->lane->stream));
    }
    return st;
}

/* Reduces the chunk to its state, and sends that back. */
samesum_status reduce(streamed *s, chunk_slot *slot)
{
    samesum_array array;
    char *place[SS_PLACES];
    for (int p = 0; p < SS_PLACES; p++)
        place[p] = s->h->operand[p].at ? slot->device.at() + s->place[p] : nullptr;
    ss_host_arrived(&array, s->h, nullptr, &slot->n, place);
    char *state = slot->device.at() + s->data_bytes;
    const size_t counts_at = ss_host_rounded(s->state_bytes);
    samesum_counts *counts = s->counts ? (samesum_counts *)(state + counts_at) : nullptr;
    size_t bytes = 0;
    samesum_status st = samesum_cuda_state_reduce(&array, slot->begin, s->call->want, state, counts,
                                                  nullptr, &bytes, slot->lane->stream);
    if (st == SAMESUM_OK)
        st = slot->workspace.need(std::max(bytes, (size_t)1));
    bytes = slot->workspace.bytes();
    if (st == SAMESUM_OK)
        st = samesum_cuda_state_reduce(&array, slot->begin, s->call->want, state, counts,
                                       slot->workspace.at(), &bytes, slot->lane->stream);
    if (st != SAMESUM_OK)
        return st;
    return ss_cuda_said(cudaMemcpyAsync(slot->back.at(), state, slot->back.bytes(),
                                        cudaMemcpyDeviceToHost, slot->lane->stream));
}

/* How large chunks are, and where their operands lie. */
samesum_status plan(streamed *s)
{
    const size_t each = ss_host_element_bytes(s->h);
    const size_t most = s->call->budget / SS_HOST_LANES / each;
    /* as a power of two of the widest elements: chunks are then whole nodes of the tree */
    size_t chunk =
        s->call->chunk ? s->call->chunk : SS_HOST_CHUNK_BYTES / s->h->operand[SS_X].bytes;
    chunk = std::min({chunk, most, (size_t)s->h->elements});
    if (chunk == 0)
        return SAMESUM_ERR_NOMEM;
    s->chunk = chunk;
    s->data_bytes = 0;
    for (int p = 0; p < SS_PLACES; p++) {
        s->place[p] = s->data_bytes;
        if (s->h->operand[p].at)
            s->data_bytes += ss_host_rounded(chunk * s->h->operand[p].bytes);
    }
    return samesum_cuda_state_bytes(s->call->want, s->h->described.type, &s->state_bytes);
}

samesum_status start(streamed *s, chunk_slot *slot, ss_lane *lane)
{
    const size_t back = ss_host_rounded(s->state_bytes) + sizeof(samesum_counts);
    slot->lane = lane;
    samesum_status st = lane->start(s->data_bytes);
    if (st == SAMESUM_OK)
        st = slot->device.need(s->data_bytes + back);
    return st == SAMESUM_OK ? slot->back.need(back) : st;
}

} // namespace

samesum_status ss_host_stream(ss_host_call *call, const ss_host_array *h, void *result,
                              samesum_counts *counts)
{
    streamed s = {};
    s.call = call;
    s.h = h;
    s.counts = counts;
    samesum_status st = plan(&s);
    if (st != SAMESUM_OK)
        return st;
    s.saved.reset(new (std::nothrow) unsigned char[STATE_ROOM]);
    if (!s.saved)
        return SAMESUM_ERR_NOMEM;
    if (counts)
        *counts = samesum_counts{0, 0, {0, 0}, {UINT64_MAX, UINT64_MAX}};
    uint64_t begin = 0;
    int at = 0;
    for (; begin < h->elements && st == SAMESUM_OK; at = (at + 1) % SS_HOST_LANES) {
        chunk_slot *slot = &s.slots[at];
        st = collect(&s, slot);
        if (st == SAMESUM_OK)
            st = start(&s, slot, &call->lane[at]);
        if (st != SAMESUM_OK)
            break;
        slot->begin = begin;
        slot->n = (size_t)std::min<uint64_t>(s.chunk, h->elements - begin);
        begin += slot->n;
        st = send(&s, slot);
        if (st == SAMESUM_OK)
            st = reduce(&s, slot);
    }
    for (int i = 0; i < SS_HOST_LANES && st == SAMESUM_OK; i++)
        st = collect(&s, &s.slots[(at + i) % SS_HOST_LANES]);
    return st == SAMESUM_OK ? samesum_state_finish(s.all.get(), result) : st;
}
