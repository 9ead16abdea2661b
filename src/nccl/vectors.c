/* Vectors, element by element: each rank reduces a block of a chunk for all. */
#include "nccl/plan.h"

static const size_t CHUNK = (size_t)1 << 22; /* elements that are exchanged at once, about */

/* A chunk, cut into blocks of one size, of which the last may be shorter or empty. */
typedef struct chunk {
    size_t first, length, block;
    size_t element, result; /* bytes */
} chunk;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A multiple of the ranks, so that blocks are of one size but in the last chunk. */
static size_t chunk_length(const ss_item *item)
{
    const size_t ranks = (size_t)item->place.ranks;
    return CHUNK > ranks ? CHUNK / ranks * ranks : ranks;
}

static chunk chunk_at(const ss_item *item, size_t first)
{
    const samesum_nccl_vector *v = &item->vector;
    const size_t ranks = (size_t)item->place.ranks;
    const size_t length = least(v->n - first, chunk_length(item));
    return (chunk){.first = first,
                   .length = length,
                   .block = (length + ranks - 1) / ranks,
                   .element = samesum_element_size(v->type),
                   .result = samesum_result_bytes(&v->want, v->type)};
}

static size_t begin_of(const chunk *c, int rank)
{
    return least((size_t)rank * c->block, c->length);
}

static size_t count_of(const chunk *c, int rank)
{
    return begin_of(c, rank + 1) - begin_of(c, rank);
}

/* ---- memory: blocks of all ranks, what all results come to where they are not to be gathered in
 * place, and the reduction's workspace ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static samesum_status reduce(const ss_item *item, const chunk *c, const void *x, void *results,
                             void *space, size_t *bytes, cudaStream_t stream)
{
    static const int axis = 0;
    const samesum_nccl_vector *v = &item->vector;
    const size_t shape[2] = {(size_t)item->place.ranks, count_of(c, item->place.rank)};
    const samesum_array array = {.x = x, .type = v->type, .dims = 2, .shape = shape};
    const samesum_cuda_out out = {.results = results};
    return samesum_cuda_reduce_array(&array, &axis, 1, &v->want, &out, space, bytes, stream);
}

/* Of the first chunk, which is the longest, and of the last one. */
static samesum_status place(ss_item *item)
{
    const size_t n = item->vector.n, ranks = (size_t)item->place.ranks;
    const chunk first = chunk_at(item, 0);
    const chunk last = chunk_at(item, n - n % chunk_length(item));
    size_t bytes = 0, other = 0;
    /* without a workspace nothing is read */
    const void *x = item->vector.x;
    samesum_status st = reduce(item, &first, x, NULL, NULL, &bytes, NULL);
    if (st == SAMESUM_OK)
        st = reduce(item, &last, x, NULL, NULL, &other, NULL);
    item->spare = aligned(ranks * first.block * first.element);
    item->reduction = item->spare;
    if (last.length % ranks)
        item->reduction += aligned(ranks * last.block * last.result);
    item->workspace = item->reduction + (bytes > other ? bytes : other);
    return st;
}

/* ---- the kind ---- */

/* A vector as an array of one row, this rank's of all ranks' rows; the description has to last. */
typedef struct row {
    size_t shape[2];
    samesum_array array;
    samesum_cuda_out out;
    ss_share_asked asked;
} row;

static const ss_share_asked *row_of(row *r, const samesum_nccl_vector *v)
{
    static const int axis = 0;
    r->shape[0] = 1;
    r->shape[1] = v->n;
    r->array = (samesum_array){.x = v->x, .type = v->type, .dims = 2, .shape = r->shape};
    r->out = (samesum_cuda_out){.results = v->results};
    r->asked = (ss_share_asked){
        .part = &r->array, .axes = &axis, .axis_count = 1, .want = &v->want, .out = &r->out};
    return &r->asked;
}

static samesum_status check(const samesum_nccl_member *member, size_t i, ss_said *said)
{
    row r;
    ss_share_size size;
    if (!member->vectors)
        return SAMESUM_ERR_NULL;
    const samesum_nccl_vector *v = &member->vectors[i];
    if (v->want.op == SAMESUM_DOT)
        return SAMESUM_ERR_OP;
    if (v->n > 0 && !v->results)
        return SAMESUM_ERR_NULL;
    samesum_status st = ss_share_measure(row_of(&r, v), &size);
    if (st == SAMESUM_OK)
        *said = (ss_said){.elements = 1, .mixed = ss_mix(size.mixed, v->n)};
    return st;
}

static samesum_status make(ss_item *item, const samesum_nccl_member *member, size_t i)
{
    row r;
    ss_share *share;
    item->vector = member->vectors[i];
    samesum_status st = ss_share_create(&share, row_of(&r, &item->vector), item->place.begin,
                                        item->place.total, item->place.ranks);
    if (st != SAMESUM_OK)
        return st;
    item->outcome = ss_share_status(share);
    ss_share_destroy(share);
    return place(item);
}

static void end(ss_item *item)
{
    (void)item;
}

static size_t workspace(const ss_item *item)
{
    return item->workspace;
}

const ss_kind ss_vectors = {.check = check, .make = make, .end = end, .workspace = workspace};

/* ---- runs ---- */

/* Every rank's elements of this seat's block come to `theirs`, row by row. */
static ncclResult_t exchange(const ss_group *g, const ss_seat *seat, const ss_item *item,
                             const chunk *c, char *theirs)
{
    const char *x = (const char *)item->vector.x + c->first * c->element;
    const size_t mine = count_of(c, seat->rank) * c->element;
    ncclResult_t result = ncclSuccess;
    for (int r = 0; r < g->ranks && ss_group_goes_on(result); r++) {
        const size_t bytes = count_of(c, r) * c->element;
        if (bytes > 0)
            result = g->nccl->Send(x + begin_of(c, r) * c->element, bytes, ncclInt8, r, seat->comm,
                                   seat->stream);
        if (mine > 0 && ss_group_goes_on(result))
            result = g->nccl->Recv(theirs + (size_t)r * mine, mine, ncclInt8, r, seat->comm,
                                   seat->stream);
    }
    return result;
}

/* Where a chunk's results are gathered: in place where the blocks are of one size. */
static char *gathered_at(const ss_item *item, const chunk *c, char *memory)
{
    return c->length == c->block * (size_t)item->place.ranks
               ? (char *)item->vector.results + c->first * c->result
               : memory + item->spare;
}

static cudaError_t reduce_block(const ss_seat *seat, const ss_item *item, const chunk *c,
                                char *memory)
{
    size_t bytes = item->workspace - item->reduction;
    char *results = gathered_at(item, c, memory) + (size_t)seat->rank * c->block * c->result;
    if (count_of(c, seat->rank) == 0)
        return cudaSuccess;
    samesum_status st =
        reduce(item, c, memory, results, memory + item->reduction, &bytes, seat->stream);
    return st >= 0 || st == SAMESUM_ERR_EMPTY ? cudaSuccess : cudaErrorUnknown;
}

static cudaError_t copy(const ss_seat *seat, const ss_item *item, const chunk *c, char *memory)
{
    char *results = (char *)item->vector.results + c->first * c->result;
    const char *all = gathered_at(item, c, memory);
    return all == results ? cudaSuccess
                          : cudaMemcpyAsync(results, all, c->length * c->result,
                                            cudaMemcpyDeviceToDevice, seat->stream);
}

static void keep(cudaError_t *first, cudaError_t error)
{
    if (*first == cudaSuccess)
        *first = error;
}

/* One chunk of all seats' i-th vector. */
static samesum_status run_chunk(const samesum_nccl_plan *p, size_t i, size_t at)
{
    const ss_group *g = &p->group;
    const chunk c = chunk_at(&p->desk[0].item[i], at);
    cudaError_t error = cudaSuccess;
    ncclResult_t result = g->nccl->GroupStart();
    for (int s = 0; s < g->count && ss_group_goes_on(result); s++)
        result = exchange(g, &g->seat[s], &p->desk[s].item[i], &c, p->desk[s].memory);
    if (ss_group_end(g, result) != ncclSuccess)
        return SAMESUM_ERR_NCCL;
    for (int s = 0; s < g->count; s++) {
        keep(&error, ss_seat_take(&g->seat[s]));
        keep(&error, reduce_block(&g->seat[s], &p->desk[s].item[i], &c, p->desk[s].memory));
    }
    result = g->nccl->GroupStart();
    for (int s = 0; s < g->count && ss_group_goes_on(result); s++) {
        const ss_seat *seat = &g->seat[s];
        char *all = gathered_at(&p->desk[s].item[i], &c, p->desk[s].memory);
        const size_t bytes = c.block * c.result;
        result = g->nccl->AllGather(all + (size_t)seat->rank * bytes, all, bytes, ncclInt8,
                                    seat->comm, seat->stream);
    }
    if (ss_group_end(g, result) != ncclSuccess)
        return SAMESUM_ERR_NCCL;
    for (int s = 0; s < g->count; s++) {
        keep(&error, ss_seat_take(&g->seat[s]));
        keep(&error, copy(&g->seat[s], &p->desk[s].item[i], &c, p->desk[s].memory));
    }
    return error == cudaSuccess ? SAMESUM_OK : SAMESUM_ERR_CUDA;
}

samesum_status ss_vectors_run(const samesum_nccl_plan *p)
{
    samesum_status first = SAMESUM_OK;
    for (size_t i = 0; i < p->count; i++) {
        const ss_item *item = &p->desk[0].item[i];
        for (size_t at = 0; at < item->vector.n; at += chunk_length(item)) {
            samesum_status st = run_chunk(p, i, at);
            if (st == SAMESUM_ERR_NCCL)
                return st;
            first = first == SAMESUM_OK ? st : first;
        }
    }
    return first == SAMESUM_OK ? p->outcome : first;
}
