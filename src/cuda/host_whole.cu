/* All results of an array that fits the device: copied there as a whole, and reduced by one call.
 */
#include <algorithm>

#include "cuda/host.cuh"

namespace
{

struct whole {
    ss_host_call *call;
    const ss_host_array *h;
    ss_host_trip trip[SS_PLACES];
    ss_memory operand[SS_PLACES] = {ss_memory{ss_memory::DEVICE}, ss_memory{ss_memory::DEVICE},
                                    ss_memory{ss_memory::DEVICE}};
    ss_memory out{ss_memory::DEVICE}; /* results, then counts */
    size_t rows, results_bytes;
    ss_memory workspace{ss_memory::DEVICE};

    whole(ss_host_call *c, const ss_host_array *array, size_t n) : call(c), h(array), rows(n)
    {
    }
    ~whole() /* memory outlives what is under way to it, also after an error */
    {
        for (ss_lane &lane : call->lane)
            if (lane.stream)
                lane.wait();
    }
};

/* Sends one operand, in pieces that the lanes take in turn. */
samesum_status send(whole *w, int place)
{
    const ss_host_trip *trip = &w->trip[place];
    const size_t bytes = w->h->operand[place].bytes;
    const size_t chunk = w->call->chunk ? w->call->chunk * bytes : SS_HOST_CHUNK_BYTES;
    const size_t piece = (size_t)std::min<uint64_t>(chunk, trip->bytes);
    samesum_status st = SAMESUM_OK;
    int at = 0;
    for (uint64_t first = 0; first < trip->bytes && st == SAMESUM_OK;
         first += piece, at = (at + 1) % SS_HOST_LANES) {
        ss_lane *lane = &w->call->lane[at];
        const size_t count = (size_t)std::min<uint64_t>(piece, trip->bytes - first);
        st = lane->start(piece);
        if (st != SAMESUM_OK)
            return st;
        ss_host_trip_bytes(trip, w->h, place, first, count, lane->staging.at(), w->call->threads);
        st = ss_cuda_said(cudaMemcpyAsync(w->operand[place].at() + first, lane->staging.at(), count,
                                          cudaMemcpyHostToDevice, lane->stream));
    }
    return st;
}

/* Plans how the operands travel, and makes room for them and for what comes back. */
samesum_status make_room(whole *w, int counted)
{
    size_t bytes = 0;
    const size_t counts_bytes = counted ? w->rows * sizeof(samesum_counts) : 0;
    for (int p = 0; p < SS_PLACES; p++) {
        ss_host_trip_plan(&w->trip[p], w->h, p);
        if (w->trip[p].bytes > w->call->budget)
            return SAMESUM_ERR_NOMEM;
        bytes += w->trip[p].bytes;
    }
    w->results_bytes = ss_host_rounded(w->rows * w->call->result_bytes);
    bytes += w->results_bytes + counts_bytes;
    if (bytes > w->call->budget)
        return SAMESUM_ERR_NOMEM;
    samesum_status st = w->out.need(w->results_bytes + counts_bytes);
    for (int p = 0; p < SS_PLACES && st == SAMESUM_OK; p++)
        if (w->h->operand[p].at)
            st = w->operand[p].need(w->trip[p].bytes);
    return st;
}

/* Launches the reduction; all lanes have arrived. */
samesum_status reduce(whole *w, int counted, cudaStream_t stream)
{
    samesum_array array;
    char *place[SS_PLACES];
    for (int p = 0; p < SS_PLACES; p++)
        place[p] = w->operand[p].at() ? w->operand[p].at() + w->trip[p].origin : nullptr;
    ss_host_arrived(&array, w->h, w->trip, nullptr, place);
    samesum_cuda_out out = {};
    out.results = w->out.at();
    out.counts = counted ? (samesum_counts *)(w->out.at() + w->results_bytes) : nullptr;
    const ss_host_call *call = w->call;
    size_t bytes = 0;
    samesum_status st = samesum_cuda_reduce_array(&array, call->axes, call->axis_count, call->want,
                                                  &out, nullptr, &bytes, stream);
    if (st >= 0)
        st = w->workspace.need(std::max(bytes, (size_t)1));
    bytes = w->workspace.bytes();
    return st < 0 ? st
                  : samesum_cuda_reduce_array(&array, call->axes, call->axis_count, call->want,
                                              &out, w->workspace.at(), &bytes, stream);
}

} // namespace

samesum_status ss_host_whole(ss_host_call *call, const ss_host_array *h, size_t rows, void *results,
                             samesum_counts *counts)
{
    whole w(call, h, rows);
    samesum_status st = make_room(&w, counts != nullptr);
    for (int p = 0; p < SS_PLACES && st == SAMESUM_OK; p++)
        if (h->operand[p].at)
            st = send(&w, p);
    for (int i = 0; i < SS_HOST_LANES && st == SAMESUM_OK; i++)
        if (call->lane[i].stream)
            st = call->lane[i].wait();
    if (st != SAMESUM_OK)
        return st;
    ss_lane *lane = &call->lane[0];
    st = reduce(&w, counts != nullptr, lane->stream);
    const samesum_status waited = lane->wait(); /* also before memory is freed */
    if (st < 0 || waited != SAMESUM_OK)
        return st < 0 ? st : waited;
    samesum_status back = ss_cuda_said(
        cudaMemcpy(results, w.out.at(), rows * call->result_bytes, cudaMemcpyDeviceToHost));
    if (back == SAMESUM_OK && counts)
        back = ss_cuda_said(cudaMemcpy(counts, w.out.at() + w.results_bytes, rows * sizeof *counts,
                                       cudaMemcpyDeviceToHost));
    return back == SAMESUM_OK ? st : back;
}
